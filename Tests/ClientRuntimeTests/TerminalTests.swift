import Glibc
import Testing

extension ClientRuntimeTests {
    /// A real client at a real pseudo-terminal: whatever happens, the terminal is afterwards as it was.
    @Suite struct TerminalTests {
        private static let enter = "\u{1B}[?1049h"

        private func client(
            _ terminal: PseudoTerminal, _ server: String, _ arguments: [String] = ["--players", "2"],
            environment: [String: String] = [:]
        ) throws -> Program {
            try Program(
                "catrace", ["play", "--connect", server] + arguments, environment: environment,
                .terminal(terminal))
        }

        @Test(arguments: ["q", "\u{3}", "\u{4}", "TERM", "HUP", "QUIT"])
        func `however it is ended, the terminal is as before`(way: String) throws {
            let server = try TestServer()
            let terminal = try PseudoTerminal()
            let before = terminal.settings
            let program = try self.client(terminal, server.address)
            #expect(terminal.waits(for: "waiting for players"))
            #expect(terminal.settings != before)
            let codes: [String: Int32] = [
                "q": 0, "\u{4}": 0, "\u{3}": 130, "TERM": 143, "HUP": 129, "QUIT": 131,
            ]
            switch way {
            case "TERM": program.signal(SIGTERM)
            case "HUP": program.signal(SIGHUP)
            case "QUIT": program.signal(SIGQUIT)
            default: terminal.press(way)
            }
            #expect(program.exitCode() == codes[way])
            #expect(terminal.settings == before)
            #expect(terminal.isLeftInOrder)
            #expect(
                terminal.waits(
                    for: "you are kept as tester on \(server.address): catrace play --name tester "))
            #expect(!terminal.shown.contains("CATRACE_KEY"))
        }

        @Test func `Ctrl-Z gives the terminal back, and going on takes it again`() throws {
            let server = try TestServer()
            let terminal = try PseudoTerminal()
            let before = terminal.settings
            let program = try self.client(terminal, server.address)
            #expect(terminal.waits(for: "waiting for players"))
            for _ in 1...2 {
                terminal.forget()
                terminal.press("\u{1A}")
                #expect(program.stops())
                #expect(terminal.settings == before)
                #expect(terminal.isLeftInOrder)
                program.signal(SIGCONT)
                #expect(terminal.waits(for: Self.enter) && terminal.waits(for: "waiting for players"))
                #expect(terminal.settings != before)
            }
            terminal.press("q")
            #expect(program.exitCode() == 0)
            #expect(terminal.settings == before)
        }

        @Test func `a server that is killed, and one that talks nonsense, end it with a sentence`() throws {
            let terminal = try PseudoTerminal()
            let before = terminal.settings
            let server = try TestServer()
            let program = try self.client(
                terminal, server.address, ["--players", "2", "--retry-seconds", "1"])
            #expect(terminal.waits(for: "waiting for players"))
            server.program.signal(SIGKILL)
            #expect(program.exitCode() == 1)
            #expect(terminal.settings == before)
            #expect(terminal.isLeftInOrder)
            #expect(terminal.waits(for: "it was not back after"))

            terminal.forget()
            let preface: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0]
            let nonsense = try Relay(to: nil, words: preface + [0xFF, 0xFF, 0xFF])
            #expect(try self.client(terminal, nonsense.address).exitCode() == 1)
            #expect(terminal.settings == before)
            #expect(terminal.isLeftInOrder)
            #expect(terminal.waits(for: "no Cat Race server of ours: check the port"))
        }

        @Test func `keys play a race, and what was checked is said`() throws {
            let server = try TestServer()
            let terminal = try PseudoTerminal()
            let program = try self.client(
                terminal, server.address, ["--bots", "1", "--finish", "5"], environment: ["NO_COLOR": "1"])
            #expect(terminal.waits(for: "match 1, turns to 5"))
            #expect(
                eventually(seconds: 30) {
                    terminal.press(" ")
                    return terminal.waits(for: "has won the race!", seconds: 0.2)
                        || terminal.shown.contains("you have won the race!")
                })
            #expect(
                terminal.waits(for: "checked: seal, drawn numbers, order, dice, moves, result, digest"))
            terminal.press("r")
            #expect(terminal.waits(for: "match 2, turns to 5"))
            terminal.press("q")
            #expect(program.exitCode() == 0)
            // Without colours there are cursor movements only.
            #expect(!terminal.shown.contains("\u{1B}[1;3"))
        }

        @Test func `another size is drawn anew and fits`() throws {
            let server = try TestServer()
            let terminal = try PseudoTerminal()
            let program = try self.client(terminal, server.address)
            #expect(terminal.waits(for: "waiting for players"))
            terminal.forget()
            terminal.resize(columns: 30, rows: 5)
            #expect(terminal.waits(for: "\u{1B}[5;1H"))
            #expect(!terminal.shown.contains("\u{1B}[6;1H"))
            program.signal(SIGTERM)
            #expect(program.exitCode() == 143)
        }
    }
}
