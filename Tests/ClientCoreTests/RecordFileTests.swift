import ClientCore
import RaceModel
import Records
import Testing
import WireProtocol

@Suite struct RecordFileTests {
    private static let race = HonestRace(
        seed: 5, players: 2, settings: RaceSettings(rule: .turns, draw: .sealed, finish: 12), ownSeat: 2)

    private func text() throws -> [UInt8] {
        let text = Self.race.record?.text
        return try #require(text)
    }

    private func fault(_ bytes: [UInt8]) -> RecordFile.Fault? {
        do throws(RecordFile.Fault) {
            _ = try RecordFile.read(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a record file is read, and what it says passes every check`() throws {
        let record = try RecordFile.read(try self.text())
        #expect(record == Self.race.record)
        #expect(RecordCheck(record).fault == nil)
    }

    @Test func `what a session showed is told from a record, with how to get one`() throws {
        var printer = LinePrinter()
        var session: [UInt8] = []
        for message in Self.race.messages { printer.append(message, to: &session) }
        let fault = try #require(self.fault(session))
        #expect(fault == .session(line: 1, verb: "found"))
        let words = RecordFile.words(for: fault, "race.txt")
        #expect(
            words.hasPrefix(
                "race.txt is what a session showed, and no record file: a record has no line like line 1 "))
        #expect(words.contains("catrace replay MATCH --save FILE"))
        // A spectator's lines have nothing too much in front.
        let spectator = try self.text() + Array("# another one: rematch\n".utf8)
        #expect(
            self.fault(spectator)
                == .session(line: 1 + (try self.text()).count { $0 == 0x0A }, verb: "#"))
        // Some lines have a key, which is shown nowhere.
        let key = "00112233445566778899aabbccddeeff"
        let welcome = try #require(
            self.fault(Array("welcome player=1 alias=ann key=\(key)\n".utf8) + spectator))
        #expect(!RecordFile.words(for: welcome, "race.txt").contains(key))
    }

    @Test func `what replay showed in a session is told from a record, with how to get one`() throws {
        var shown: [UInt8] = []
        let page = RecordPage(match: MatchID(7), number: 1, of: try self.text())
        LineEncoder.append(.record(page), names: .none, to: &shown)
        let fault = try #require(self.fault(shown))
        #expect(fault == .pages)
        #expect(RecordFile.words(for: fault, "race.txt").contains("sed -n 's/^> //p' FILE"))
    }

    @Test func `a line that does not fit is shown, and harmless`() throws {
        var text = try self.text()
        text += Array("\u{1B}[2J\n".utf8)
        let fault = try #require(self.fault(text))
        let words = RecordFile.words(for: fault, "race.txt")
        #expect(words.hasPrefix("line \(text.count { $0 == 0x0A }) does not fit: "))
        #expect(words.hasSuffix("\n  ?[2J"))
        let long = try #require(self.fault([UInt8](repeating: 0x61, count: 100_000)))
        #expect(RecordFile.words(for: long, "race.txt").utf8.count < 1000)
        #expect(RecordFile.words(for: try #require(self.fault([])), "x").hasPrefix("line 1 does not fit: "))
    }
}
