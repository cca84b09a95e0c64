import Testing

/// A Python script beside the tests; it needs the standard library only.
enum Script {
    static let folder =
        String(#filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
        + "../Scripts/"

    /// Runs it to its end on this input.
    static func run(_ name: String, input: [UInt8]) async throws -> (code: Int32, output: String) {
        let program = try Program(["/usr/bin/env", "python3", Self.folder + name])
        program.send(input)
        program.endInput()
        let code = try await program.exitCode()
        return (code, program.lines.text)
    }

    /// Starts one that goes on until it is told to end.
    static func start(_ name: String, _ arguments: [String]) throws -> Program {
        try Program(["/usr/bin/env", "python3", Self.folder + name] + arguments)
    }
}
