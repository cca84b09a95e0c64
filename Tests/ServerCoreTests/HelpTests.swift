import ServerCore
import Testing
import WireProtocol

struct HelpTests {
    private func help(_ line: String) -> [String] {
        var script = ServerScript()
        let id = script.connect()
        _ = script.ask("ping", id)
        return script.ask(line, id)
    }

    @Test func `help of a verb begins with a line that shows how it is written`() {
        for verb in Verb.allCases where verb != .help {
            let lines = self.help("help \(verb.rawValue)")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("# ") }, "\(verb)")
            let written = lines.contains { $0.split { !$0.isLetter }.contains { $0 == verb.rawValue } }
            #expect(written, "\(verb): \(lines)")
        }
        for verb in ["name", "player", "top", "replay", "who", "move"] {
            #expect(self.help("help \(verb)").first?.hasPrefix("# \(verb) ") == true, "\(verb)")
        }
    }

    @Test func `help alone has a line for each verb that has a page, and no line is wide`() {
        let lines = self.help("help")
        #expect(lines == self.help("help help"))
        for verb in ["name", "player", "top", "replay", "who", "move", "quit"] {
            #expect(lines.count { $0.hasPrefix("# \(verb) ") } == 1, "\(verb)")
        }
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(self.help("help me") == ["# There is no such verb; help lists all."])
    }
}
