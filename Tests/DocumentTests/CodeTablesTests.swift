import Foundation
import RaceModel
import Testing
import WireProtocol

/// The tables of `protocol.md` that list what the code has: errors, reasons, verbs, limits, deadlines.
@Suite struct CodeTablesTests {
    let page: Document

    init() throws { self.page = try Document("protocol.md") }

    private func rows(_ heading: String) throws -> [[String]] {
        try #require(self.page.table(under: heading), "\(heading)").rows
    }

    @Test func `every error has its number, its name, who is at fault and whether it closes`() throws {
        let rows = try self.rows("Errors")
        #expect(rows.map { $0[0] } == ErrorCode.allCases.map { "\($0.rawValue)" })
        #expect(rows.map { $0[1].uncoded } == ErrorCode.allCases.map(\.name))
        #expect(rows.map { $0[5] } == ErrorCode.allCases.map { $0.closesConnection ? "yes" : "no" })
        for row in rows {
            #expect(["client", "player", "circumstances", "server"].contains(row[2]), "\(row)")
            #expect(row.count == 6 && !row[3].isEmpty && !row[4].isEmpty, "\(row)")
        }
    }

    @Test func `every reason of a bye and every notice has its number and its name`() throws {
        let byes = try self.rows("Bye")
        #expect(byes.map { $0[0] + $0[1].uncoded } == ByeReason.allCases.map { "\($0.rawValue)\($0.name)" })
        let notices = try self.rows("Notices")
        #expect(
            notices.map { $0[0] + $0[1].uncoded } == NoticeCode.allCases.map { "\($0.rawValue)\($0.name)" })
    }

    /// A code that the server begins to send must be described, not called unsent.
    @Test func `what the page says is not sent is nowhere in the server, and all else is`() throws {
        let sources = try Self.sources(in: ["ServerCore", "WireProtocol"])
        func isUsed(_ pattern: String) throws -> Bool { sources.contains(try Regex(pattern)) }
        for (row, code) in zip(try self.rows("Errors"), ErrorCode.allCases) {
            let unsent = row[3].contains("ot sent by this version")
            #expect(
                try isUsed("(?:refus(?:e|al)\\(\\s*|code: |Code =\\s*|: |return \\(|\\? )\\.\(code)\\b")
                    != unsent,
                "\(code)")
        }
        for (row, reason) in zip(try self.rows("Bye"), ByeReason.allCases) {
            let unsent = row[2].contains("ot sent")
            #expect(try isUsed("close\\(\\s*[a-z.]+, \\.\(reason)\\b") != unsent, "\(reason)")
        }
        for (row, code) in zip(try self.rows("Notices"), NoticeCode.allCases) {
            let unsent = row[2].contains("ot sent")
            #expect(try isUsed("notice\\(\\s*\\.\(code)\\b") != unsent, "\(code)")
        }
    }

    @Test func `every verb stands with its form and its message`() throws {
        let rows = try self.rows("Text")
        #expect(rows.map { $0[0].uncoded } == Verb.allCases.map(\.usage))
        let table = try MessageTable()
        for (row, verb) in zip(rows, Verb.allCases) {
            let number = verb.request?.rawValue
            let name = number.flatMap { table.message($0, from: "client")?.name }
            #expect(name.map { row[1] == $0 } ?? row[1].hasPrefix("none"), "\(row)")
        }
    }

    @Test func `every limit stands with its value`() throws {
        let rows = Dictionary(uniqueKeysWithValues: try self.rows("Limits").map { ($0[0], $0) })
        let source = try Self.sources(in: ["RaceModel"], only: "Limits.swift")
        let declared = source.matches(of: #/static let ([a-zA-Z]+)/#).map { String($0.1) }
        #expect(declared.sorted() == Set(LimitRow.all.map(\.name)).sorted())
        #expect(rows.count == LimitRow.all.count)
        for limit in LimitRow.all {
            let row = rows[limit.label]
            #expect(row?[1] == limit.value, "\(limit.name)")
            #expect(row.map { $0.count == 3 && !$0[2].isEmpty } ?? false, "\(limit.name)")
        }
    }

    @Test func `every deadline stands with its seconds`() throws {
        let rows = try self.rows("Deadlines")
        let labels = ["fill", "alias look-up", "number", "start", "turn", "idle", "grace", "keep", "rematch"]
        let declared = Mirror(reflecting: Deadlines()).children
        #expect(declared.count == labels.count)
        for (child, label) in zip(declared, labels) {
            let span = try #require(child.value as? Instant.Span)
            #expect(rows.first { $0[0] == label }?[1] == "\(span.seconds)", "\(label)")
            #expect(label.filter { $0 != " " && $0 != "-" } == child.label?.lowercased(), "\(label)")
        }
    }

    @Test func `the numbers in the running text are those of the code`() throws {
        let text =
            (self.page.text + (try Document("playing.md").text) + (try Document("records.md").text)
            + (try Document("from-clients.md").text)).replacing(#/\s+/#, with: " ")
        let magic = FramePiece.hex(Preface.magic).uppercased()
        for expected in [
            "one TCP port, 7223", "has said nothing for \(Limits.greeting.seconds) s",
            "preface has \(Limits.preface.seconds) s for the rest",
            "closed when \(Limits.unnamed.seconds) s have passed",
            "length of what follows, 1 to \(Limits.frameBytes)",
            "A line has at most \(Limits.lineBytes) bytes", "they have at most \(Limits.frameBytes) bytes",
            "Lists come in pages of \(Limits.pageEntries)", "the seat is held \(Deadlines().grace.seconds) s",
            "enough for each, \(Deadlines().fill.seconds) s after",
            "for \(Limits.privateRaceLife.seconds / 60) minutes",
            "must come within \(Limits.transportHandshake.seconds) s of its first byte",
            "at most \(Limits.tlsHandshakeBytes) bytes from the client",
            "within \(Limits.transportHandshake.seconds) s, at most \(Limits.proxyLineBytes) bytes in version 1 "
                + "and \(Limits.proxyHeaderBytes) in version 2",
            "an unanswered one after \(Limits.inviteLife.seconds) s", "Version \(Preface.version).",
            "of \(Limits.loggedEvents) events or more is too long",
            "longer than \(Limits.recordPageBytes) bytes comes in pages",
            "only the first \(Limits.prefixPages) pages",
            "pages of \(Limits.pageEntries), down to place \(Limits.leaderboardPlaces)",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        #expect(magic == "CA7EACE0" && text.contains("| `CA 7E AC E0` | `CA 7E AC E0` |"))
    }

    @Test func `every link leads somewhere`() throws {
        for name in Pages.names {
            let page = try Document(name)
            for match in page.text.matches(of: #/\]\(([^)#]*)(?:#([^)]*))?\)/#) {
                let target = match.1.isEmpty ? name : String(match.1)
                let path = Document.directory.appending(path: target).path
                #expect(FileManager.default.fileExists(atPath: path), "\(name): \(target)")
                guard let anchor = match.2 else { continue }
                let anchors = try Document(target).lines.filter { $0.hasPrefix("#") }.map { line in
                    line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0.isNumber || $0 == "-" }
                }
                #expect(anchors.contains(String(anchor)), "\(name): \(target)#\(anchor)")
            }
        }
    }

    private static func sources(in targets: [String], only name: String? = nil) throws -> String {
        try targets.flatMap { target in
            let directory = Document.repository.appending(path: "Sources/\(target)")
            return try FileManager.default.subpathsOfDirectory(atPath: directory.path)
                .filter { $0.hasSuffix(".swift") && $0 != "Codes.swift" && (name == nil || $0 == name) }
                .sorted()
                .map { try String(contentsOf: directory.appending(path: $0), encoding: .utf8) }
        }.joined(separator: "\n")
    }
}
