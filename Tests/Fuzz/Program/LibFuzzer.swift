#if FUZZING
    import CFuzzDriver
    import FuzzTargets
    import Glibc

    /// Hands a target to libFuzzer, which makes up inputs that reach ever more of the code.
    enum LibFuzzer {
        /// What is run: the callback has no place for it. Written once, before the run.
        nonisolated(unsafe) private static var target: any FuzzTarget.Type = ClientFrames.self

        /// libFuzzer starts this program again for some of its work, with its own arguments only: then this says
        /// the target.
        private static let variable = "CATRACE_FUZZ_TARGET"

        /// The target of such a start.
        static var inheritedTarget: (any FuzzTarget.Type)? {
            unsafe getenv(Self.variable).flatMap { unsafe FuzzTargets.named(String(cString: $0)) }
        }

        /// - Parameter arguments: the program, libFuzzer's flags, and the folders of the corpus.
        /// - Returns: the exit status; it does not come back from a finding.
        static func run(_ target: any FuzzTarget.Type, arguments: [String]) -> Int32 {
            unsafe Self.target = target
            unsafe setenv(Self.variable, target.name, 1)
            var count = Int32(arguments.count)
            var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
            return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe LLVMFuzzerRunDriver(&count, &start) { data, size in
                    let input = unsafe Array(UnsafeBufferPointer(start: data, count: size))
                    if let finding = unsafe LibFuzzer.target.run(input) {
                        writeError("catrace-fuzz: \(unsafe LibFuzzer.target.name): \(finding)\n")
                        abort()
                    }
                    return 0
                }
            }
        }
    }
#endif
