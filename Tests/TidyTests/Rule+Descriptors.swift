extension Rule {
    /// All tests run in one process, and many of them start programs. A program that inherits another test's
    /// socket keeps its connection open: that test closes it, and the server never hears of it.
    static let descriptors: [Rule] = [
        Rule(
            name: "descriptors of tests are not inherited",
            samples: [
                ("let a = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)", false),
                ("let a = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)", true),
                ("unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)", false),
                ("unsafe pipe(&pair)", false), ("unsafe catrace_pipe(&pair)", true),
                ("let a = dup(b)", false), ("let a = fcntl(b, F_DUPFD_CLOEXEC, 3)", true),
                ("let a = unsafe open(path, O_RDONLY)", false),
                ("let a = unsafe open(path, O_RDONLY | O_CLOEXEC)", true),
                ("unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)", true),
            ].map { line, isRight in
                Sample(path: "Tests/LobbyTests/A.swift", text: "\n\(line)\n", line: isRight ? nil : 2)
            } + [Sample(path: "Sources/EventLoop/A.swift", text: "pipe(&pair)\n", line: nil)],
            check: { file in
                guard file.isTest, file.isSwift else { return [] }
                return file.code.enumerated().compactMap { index, line in
                    inheritance(in: line).map { (index + 1, $0) }
                }
            }),
        Rule(
            name: "programs of tests inherit nothing",
            samples: [
                Sample(path: "Tests/LobbyTests/A.swift", text: "\nposix_spawn(&pid)\n", line: 2),
                Sample(
                    path: "Tests/LobbyTests/A.swift",
                    text: "catrace_close_from(&actions, 3)\nposix_spawn(&pid)\n", line: nil),
            ],
            check: { file in
                guard file.isTest, file.isSwift,
                    !file.code.contains(where: { contains("catrace_close_from(", in: $0) })
                else { return [] }
                return file.code.enumerated().filter { contains("posix_spawn(", in: $0.element) }.map {
                    ($0.offset + 1, "say what it inherits, with catrace_close_from")
                }
            }),
    ]

    /// What is wrong with a line that makes a descriptor.
    private static func inheritance(in line: String) -> String? {
        let isSocket = contains("socket(", in: line) || contains("socketpair(", in: line)
        if isSocket, line.contains("AF_"), !contains("SOCK_CLOEXEC", in: line) {
            return "a socket is made with SOCK_CLOEXEC"
        }
        if contains("pipe(", in: line) { return "a pipe is made with catrace_pipe" }
        if contains("dup(", in: line) { return "a descriptor is doubled with F_DUPFD_CLOEXEC" }
        let isOpened = contains("open(", in: line) && !contains("O_CLOEXEC", in: line)
        let isFile = ["O_RDONLY", "O_WRONLY", "O_RDWR"].contains { contains($0, in: line) }
        return isOpened && isFile ? "a file is opened with O_CLOEXEC" : nil
    }
}
