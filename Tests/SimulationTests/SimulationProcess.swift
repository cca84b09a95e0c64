import Foundation

/// `catrace-simulate`, built next to the tests, as a process of its own.
final class SimulationProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        self.process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "catrace-simulate")
        self.process.arguments = arguments
        self.process.standardOutput = self.output
        try self.process.run()
    }

    /// Its lines once it has ended, and how it ended.
    func finish() throws -> (lines: [String], status: Int32) {
        let data = try self.output.fileHandleForReading.readToEnd() ?? Data()
        self.process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, self.process.terminationStatus)
    }
}
