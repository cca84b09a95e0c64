import Foundation
import Testing
import WireProtocol

/// The commands with which a reader checks the race, run by bash over what the session says Ann got.
extension WrittenPages {
    @Suite struct WorkedExampleTests {
        @Test func `the commands of the worked example print what the page shows`() throws {
            var page = try Document("race.md")
            let session = try #require(page.blocks.first { $0.kind == "session" && $0.heading == "In text" })
            let received = session.lines.filter { $0.hasPrefix("ann< ") }.map { $0.dropFirst(5) + "\n" }
                .joined()
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
            let lines = try Document("race.md").blocks.filter { $0.kind == "shell" }.flatMap(\.lines)
            func output(_ start: String) throws -> String {
                let index = try #require(lines.firstIndex { $0.hasPrefix("$ \(start)") })
                return try #require(lines.dropFirst(index + 1).first)
            }
            let seal = try output("hex $nonce | sha256sum").prefix(64)
            #expect(try output("grep -o 'seal=") == "seal=\(seal)")
            let digest = try output("grep -E '^(found").prefix(64)
            #expect(try output("grep -o 'digest=") == "digest=\(digest)")
            let drawn = try output("echo $((0x$( (hex $nonce; printf draw")
            #expect(try output("grep drawn=server").contains("value=\(drawn) "))
            let told = try output("grep -o 'by=").replacing("by=", with: "").split(separator: " ")
            let rolls = try output("for word in").split(separator: " ")
            #expect(told.count >= 4)
            #expect(Array(rolls.prefix(told.count)) == told)
            let ranks = try output("echo ann").split(separator: " ").compactMap { UInt32($0) }
            #expect(ranks.count == 2 && ranks[1] > ranks[0])
            #expect(try output("grep ^order") == "order seats=2,1")
        }

        /// The lines that each command prints, all of them in one shell.
        private static func run(_ commands: [String], over race: String) throws -> [[String]] {
            let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            try race.write(to: directory.appending(path: "race.txt"), atomically: true, encoding: .utf8)
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
