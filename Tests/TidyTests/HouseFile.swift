/// One text file of the project, as the rules see it.
struct HouseFile {
    /// From the repository's root: `Sources/RaceModel/Alias.swift`.
    let path: String
    let lines: [String]
    /// The same lines with only the code left, see `CodeMask`; of a file that is not Swift, the lines as
    /// they are.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        self.lines = Self.lines(of: text)
        self.code = path.hasSuffix(".swift") ? Self.lines(of: CodeMask.masked(text)) : self.lines
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    var isSwift: Bool { self.path.hasSuffix(".swift") }

    /// The package's target that the file belongs to: `RaceModel`; nil for what lies elsewhere.
    var target: String? {
        let parts = self.path.split(separator: "/")
        guard parts.count > 2, parts[0] == "Sources" || parts[0] == "Tests" else { return nil }
        return String(parts[1])
    }

    var isSource: Bool { self.path.hasPrefix("Sources/") }
    var isTest: Bool { self.path.hasPrefix("Tests/") }

    /// Targets that decide in values and touch nothing outside: no clock, no sockets, no chance of their own.
    static let pureTargets: Set<String> = [
        "RaceModel", "MatchRules", "Lobby", "WireProtocol", "Fairness", "Records", "Store", "ServerCore",
        "ClientCore", "ProxyProtocol",
    ]
    var isPure: Bool { self.isSource && self.isSwift && self.target.map(Self.pureTargets.contains) == true }
}
