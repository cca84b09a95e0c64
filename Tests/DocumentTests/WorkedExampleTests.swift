import Foundation
import RaceModel
import Records
import Testing
import WireProtocol

/// The record of the race on `race.md`, and the commands with which a reader checks it, run by bash over what the
/// session says Ann got.
extension WrittenPages {
    @Suite struct WorkedExampleTests {
        @Test func `the commands of the worked example print what the page shows`() throws {
            var page = try Document("records.md")
            let received = try Self.received()
            let blocks = page.blocks.filter { $0.kind == "shell" }
            let commands = blocks.map { $0.lines.filter { $0.hasPrefix("$ ") } }
            let printed = try Self.run(commands.joined().map { String($0.dropFirst(2)) }, over: received)

            try #require(printed.count == commands.joined().count)
            var next = printed.makeIterator()
            let written = commands.map { $0.flatMap { [$0] + (next.next() ?? []) } }
            for (block, lines) in zip(blocks, written).reversed() {
                if Pages.isWriting { page.replace(block, with: lines) } else { #expect(block.lines == lines) }
            }
            if Pages.isWriting { try page.save() }
            #expect(commands.joined().count >= 14)
        }

        @Test
        func `the record on the page is what a reader's command and what the messages make of the session`()
            throws
        {
            var page = try Document("records.md")
            let received = try Self.received()
            let block = try #require(page.blocks.first { $0.kind == "record" })
            var input = Array(received.utf8)[...]
            var lines = ServerLineDecoder()
            var messages: [ServerMessage] = []
            while let message = try lines.next(in: &input) { messages.append(message) }
            let found = try #require(
                messages.compactMap { if case .matchFound(let found) = $0 { found } else { nil } }.first)
            var record = RaceRecord(found: found)
            for message in messages { record.append(message) }
            let end = received.split(separator: "\n").filter {
                $0.hasPrefix("over ") || $0.hasPrefix("place ")
            }
            let text = String(decoding: record.text, as: UTF8.self) + end.joined(separator: "\n")
            let written = text.split(separator: "\n").map(String.init)
            #expect(written.count == 15)

            let command = try #require(
                page.blocks.first { $0.kind == "shell" }?.lines.first { $0.hasSuffix("> race.txt") })
            #expect(
                try Self.run([String(command.dropFirst(2)), "cat race.txt"], over: received).last == written)
            if Pages.isWriting {
                page.replace(block, with: written)
                try page.save()
            } else {
                #expect(block.lines == written)
            }
        }

        @Test func `the record on the page is one, to the letter, and comes back whole in pages`() throws {
            let block = try #require(try Document("records.md").blocks.first { $0.kind == "record" })
            let text = Array(block.lines.map { $0 + "\n" }.joined().utf8)
            let record = try MatchRecord(text: text)
            #expect(record.text == text)
            #expect(record.workedOutDigest == record.over.digest)
            let page = RecordPage(match: record.found.match, number: 1, of: text)
            #expect(page.page == Page(number: 1, of: 1) && page.text == text)
            let result = MatchResult(record)
            #expect(result.counts && result.places.map(\.hasWon) == [true, false])
        }

        /// All that Ann got.
        private static func received() throws -> String {
            let page = try Document("race.md")
            let session = try #require(page.blocks.first { $0.kind == "session" && $0.heading == "In text" })
            return session.lines.filter { $0.hasPrefix("ann< ") }.map { $0.dropFirst(5) + "\n" }.joined()
        }

        @Test func `both sessions of the race tell the same messages`() throws {
            let sessions = try Document("race.md").blocks.filter { $0.kind == "session" }
            try #require(sessions.count == 2)
            var text = sessions[0].lines.filter { $0.hasPrefix("ann< ") && !$0.hasPrefix("ann< set ") }
                .flatMap { Array(($0.dropFirst(5) + "\n").utf8) }[...]
            // All the server says, joined: what stands before `;`, in lines `ann<` and those that go on with
            // one.
            var isAnswer = false
            let digits = sessions[1].lines.filter { line in
                if !line.hasPrefix(" ") { isAnswer = line.hasPrefix("ann< ") }
                return isAnswer
            }
            .map { String($0.prefix { $0 != ";" }).replacing("ann<", with: "").filter { $0 != " " } }.joined()
            var binary = try #require(Hex.bytes(digits.utf8))[...]
            var answers = AnswerDecoder()
            #expect(try answers.next(in: &binary) == 1)

            var (lines, frames) = (ServerLineDecoder(), FrameDecoder<ServerMessage>())
            var count = 0
            while let message = try frames.next(in: &binary) {
                #expect(try lines.next(in: &text) == message)
                count += 1
            }
            #expect(try lines.next(in: &text) == nil)
            #expect(count > 20)
        }

        /// What stands beside each other on the page is equal, so that a reader sees the proof.
        @Test func `the worked example proves the race`() throws {
            let lines = try Document("records.md").blocks.filter { $0.kind == "shell" }.flatMap(\.lines)
            func outputs(_ start: String) throws -> [String] {
                let index = try #require(lines.firstIndex { $0.hasPrefix("$ \(start)") })
                return Array(lines.dropFirst(index + 1).prefix { !$0.hasPrefix("$ ") })
            }
            func output(_ start: String) throws -> String { try #require(try outputs(start).first) }
            let seal = try output("hex $nonce | sha256sum").prefix(64)
            #expect(try output("grep -o 'seal=") == "seal=\(seal)")
            let digest = try output("grep -v '^place ' race.txt | sed").prefix(64)
            #expect(try output("grep -o 'digest=") == "digest=\(digest)")
            let drawn = try output("echo $((0x$( (hex $nonce; printf draw")
            #expect(try outputs("grep ^number").contains { $0.hasSuffix(" value=\(drawn) drawn=server") })
            let moves = try outputs("at=(0 0 0)")
            #expect(moves.count == 6)
            #expect(try outputs("grep ^moved") == moves)
            #expect(moves.last?.contains("player=2") == true)
            #expect(try output("grep -E '^(over|place)").contains(" winner=2 "))
            let ranks = try output("echo ann").split(separator: " ").compactMap { UInt32($0) }
            #expect(ranks.count == 2 && ranks[1] > ranks[0])
            #expect(try output("grep ^order") == "order seats=2,1")
        }

        /// The lines that each command prints, all of them in one shell.
        private static func run(_ commands: [String], over session: String) throws -> [[String]] {
            let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            try session.write(to: directory.appending(path: "session.txt"), atomically: true, encoding: .utf8)
            let mark = "-- end of command --"
            let script = commands.map { "\($0)\necho '\(mark)'\n" }.joined()

            let bash = Process()
            let output = Pipe()
            bash.executableURL = URL(filePath: "/bin/bash")
            bash.arguments = ["-c", script]
            bash.currentDirectoryURL = directory
            bash.standardOutput = output
            bash.standardError = output
            bash.standardInput = FileHandle.nullDevice
            try bash.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            bash.waitUntilExit()
            let pieces = String(decoding: data, as: UTF8.self).components(separatedBy: mark + "\n").dropLast()
            return pieces.map { $0.split(separator: "\n").map(String.init) }
        }
    }
}
