import FuzzTargets
import Glibc

func fail(_ text: String, status: Int32) -> Never {
    writeError("catrace-fuzz: \(text)\n")
    exit(status)
}

func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}

let names = FuzzTargets.all.map { $0.name }.joined(separator: ", ")
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--list"] {
    for target in FuzzTargets.all { print(target.name) }
    exit(0)
}
#if FUZZING
    if let target = LibFuzzer.inheritedTarget {
        exit(LibFuzzer.run(target, arguments: CommandLine.arguments))
    }
#endif
guard let name = arguments.first, let target = FuzzTargets.named(name) else {
    fail("the first argument is one of the targets \(names), or --list", status: 2)
}

#if FUZZING
    exit(LibFuzzer.run(target, arguments: [CommandLine.arguments[0]] + arguments.dropFirst()))
#else
    // Without libFuzzer: each file is taken once.
    func contents(_ path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { fail("\(path) can't be read", status: 2) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(file, &buffer, buffer.count)
            if count <= 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
    var findings = 0
    for path in arguments.dropFirst() {
        guard let finding = target.run(contents(path)) else { continue }
        findings += 1
        writeError("\(path): \(finding)\n")
    }
    print("\(name): \(arguments.count - 1) inputs, \(findings) findings")
    exit(findings == 0 ? 0 : 1)
#endif
