import Foundation

/// The checkout that these tests were built from.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What may lie at the top; besides these, names that begin with a dot.
    static let agreedTopLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "Protocol", "docker", "README.md", "Makefile", "LICENSE",
    ]

    /// Entries at the top of the paths given that were not agreed, sorted.
    static func strangers(in paths: [String]) -> [String] {
        let tops = Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
        return tops.filter { !$0.hasPrefix(".") && !agreedTopLevel.contains($0) }.sorted()
    }

    /// All files that git tracks or would take, from the root, sorted; without git, all that lie there but
    /// `.build`.
    static func paths() throws -> [String] {
        let listing = try? output(
            of: "/usr/bin/env",
            ["git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        if let listing, !listing.isEmpty {
            let paths = Set(listing.split(separator: "\0").map(String.init))
            return paths.filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
                .sorted()
        }
        return try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { !$0.hasPrefix(".build/") && !$0.hasPrefix(".git/") && $0 != ".git" }
            .filter { !root.appending(path: $0).hasDirectoryPath }.sorted()
    }

    /// Every text file among them; what is not UTF-8 (a vector in bytes, say) is left out.
    static func files() throws -> [HouseFile] {
        try self.paths().compactMap { path in
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
                return nil
            }
            return HouseFile(path: path, text: text)
        }
    }

    static func text(of path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Where the build that runs these tests put the programs: beside the test bundle.
    static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    struct ProgramFailed: Error, CustomStringConvertible {
        var description: String
    }

    /// Standard output of a program that must end with exit code 0.
    static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ProgramFailed(
                description: "\(program) \(arguments) ended with exit code \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
