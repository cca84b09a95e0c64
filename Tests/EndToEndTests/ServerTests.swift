import Glibc
import Testing

extension EndToEndTests {
    /// The server as those who run it see it.
    @Suite struct ServerTests {
        @Test(arguments: [SIGTERM, SIGINT])
        func `told to stop, it tells players in every state, and ends in order`(signal: Int32) async throws {
            let server = try await Server(Stage.patient + ["--drain-seconds", "0"])
            var racers: [Racer] = []
            for (index, stage) in Stage.allCases.reversed().enumerated() {
                let pair = [
                    try await Racer("ann-\(index)", server.socket()),
                    try await Racer("bob-\(index)", server.socket()),
                ]
                try await stage.reach(pair[0], pair[1])
                racers += pair
            }
            let unnamed = try server.socket()
            unnamed.say("ping")
            try await unnamed.lines.wait(for: "pong ")
            server.program.signal(signal)
            for speaker in racers.map(\.speaker) + [unnamed] {
                let line = try await speaker.lines.wait(for: "bye ")
                #expect(line.hasPrefix("bye reason=shutdown text="), "\(line)")
                #expect(try await speaker.lines.next() == nil)
            }
            #expect(try await server.program.exitCode() == 0)
            #expect(try server.secondsToStop() < 2)
        }

        @Test func `a taken port and a wrong flag are one sentence and a status`() async throws {
            let server = try await Server()
            for (words, status, sentence) in [
                (
                    ["--memory", "--port", "\(server.port)"], Int32(1),
                    "--port: port \(server.port) on 127.0.0.1 is taken: "
                ),
                (["--prot", "1"], 2, "there is no flag '--prot'"),
                (["--turn-seconds", "0"], 2, "--turn-seconds must be a whole number from 1 to 86400"),
            ] {
                let program = try Program(["catrace-server"] + words)
                #expect(try await program.exitCode() == status)
                let lines = program.lines.all
                #expect(
                    lines.count == 1 && lines[0].hasPrefix("catrace-server: \(sentence)"), "\(lines)")
            }
        }

        @Test func `help is a manual on stdout`() async throws {
            for name in ["catrace-server", "catrace", "catrace-load"] {
                let program = try Program([name, "--help"], apart: true)
                #expect(try await program.exitCode() == 0)
                #expect(program.lines.all.first?.hasPrefix("\(name) - ") == true)
                #expect(program.errors?.bytes.isEmpty == true)
            }
        }

        @Test func `closed streams do it no harm`() async throws {
            // A port that was free a moment ago.
            let first = try await Server()
            try await first.program.killHard()
            let program = try Program([
                "/bin/sh", "-c",
                "exec \(Program.directory)catrace-server --memory --port \(first.port) <&- >&- 2>&-",
            ])
            var peer: Socket?
            let isThere = try await eventually {
                peer = try? Socket(port: first.port)
                return peer != nil
            }
            #expect(isThere)
            try await peer?.register("ann")
            program.signal(SIGTERM)
            try await peer?.lines.wait(for: "bye reason=shutdown ")
            #expect(try await program.exitCode() == 0)
        }

        @Test func `with a seed a session repeats itself to the byte`() async throws {
            var transcripts: [[[UInt8]]] = []
            for _ in 1...2 {
                let server = try await Server(["--seed", "42"])
                let ann = try await Racer("ann", server.socket())
                let bob = try await Racer("bob", server.socket())
                ann.say("play 2 draw=sealed")
                try await ann.lines.wait(for: "queued ")
                bob.say("play 2 draw=sealed")
                try await race([ann, bob])
                for racer in [ann, bob] {
                    racer.say("quit")
                    _ = try await racer.lines.rest()
                }
                transcripts.append([ann.lines.bytes, bob.lines.bytes])
            }
            #expect(transcripts[0] == transcripts[1])
            #expect(transcripts[0].allSatisfy { $0.count > 2000 })
        }

        @Test func `fifty players of the load harness race without an error`() async throws {
            let server = try await Server(["--log-level", "warning"])
            let load = try Program([
                "catrace-load", "--players", "50", "--seconds", "3", "--connect", server.address,
            ])
            #expect(try await load.exitCode() == 0)
            #expect(load.lines.text.contains("players 50 of 50 were named"), "\(load.lines.text)")
            #expect(load.lines.all.last == "errors  none", "\(load.lines.text)")
            try await server.expectEmpty()
        }
    }
}
