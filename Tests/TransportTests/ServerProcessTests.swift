import Glibc
import ServerRuntime
import Testing

@testable import catrace_server

extension TransportTests {
    /// The real binary.
    @Suite struct ServerProcessTests {
        @Test func `it says where it listens, within a second, and serves`() throws {
            let isSoon = try isPrompt(within: 1) {
                let start = elapsed()
                let server = try Child(["--port", "0"])
                let line = server.line()
                let seconds = elapsed() - start
                let port = try #require(line.split(separator: "port=").last.flatMap { UInt16($0) })
                #expect(line == "listening host=127.0.0.1 port=\(port)")
                let peer = try Peer(port: port)
                try peer.send("x\n")
                #expect(try !peer.read().isEmpty)
                return seconds
            }
            #expect(isSoon)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `a signal ends it in order within two seconds, connections or not`(signal: Int32) throws {
            for connections in [0, 3] {
                let isSoon = try isPrompt(within: 2) {
                    let server = try Child(["--port=0"])
                    let port = try server.port()
                    let peers = try (0..<connections).map { _ in try Peer(port: port) }
                    for peer in peers {
                        try peer.send("x\n")
                        _ = try peer.read()
                    }
                    let start = elapsed()
                    server.signal(signal)
                    #expect(server.exitCode() == 0)
                    let seconds = elapsed() - start
                    let log = server.restOfErrors()
                    #expect(log.contains("event=stopping connections=\(connections)\n"), "\(log)")
                    #expect(log.split(separator: "\n").last?.contains("event=stopped") == true)
                    #expect(peers.count == connections)
                    return seconds
                }
                #expect(isSoon, "\(connections) connections")
            }
        }

        @Test func `a second signal ends it at once`() throws {
            let isAtOnce = try isPrompt(within: 0.5) {
                let server = try Child(["--port", "0"])
                let peer = try Peer(port: server.port())
                #expect(eventually { openDescriptors(of: "\(server.pid)") > 6 })
                server.signal(SIGTERM)
                usleep(50_000)
                let start = elapsed()
                server.signal(SIGINT)
                let code = server.exitCode()
                let seconds = elapsed() - start
                // A core that closes everything in order may have come first.
                #expect(code == 1 || code == 0)
                _ = peer
                return seconds
            }
            #expect(isAtOnce)
        }

        @Test func `signals that the parent blocks or ignores end it all the same`() throws {
            for signal in [SIGTERM, SIGINT] {
                let masked = try Child(["--port", "0"], blockingSignals: true)
                _ = try masked.port()
                masked.signal(signal)
                #expect(masked.exitCode() == 0)
                let ignored = try Child(shell: "trap '' INT TERM; exec \"$0\" --memory --port 0")
                _ = try ignored.port()
                ignored.signal(signal)
                #expect(ignored.exitCode() == 0)
            }
        }

        @Test func `other signals and stops do it no harm`() throws {
            let server = try Child(["--port", "0"])
            let peer = try Peer(port: server.port())
            for number in [SIGWINCH, SIGCHLD, SIGPIPE, SIGSTOP, SIGCONT] {
                server.signal(number)
                usleep(20_000)
            }
            try peer.send("x\n")
            #expect(try !peer.read().isEmpty)
        }

        @Test func `idle, it uses no processor time and wakes up for nothing`() throws {
            let server = try Child(["--port", "0"])
            let port = try server.port()
            let peers = try (0..<50).map { _ in try Peer(port: port) }
            try peers[0].send("x\n")
            _ = try peers[0].read()
            sleep(3)  // Greetings and the like are over, unless the machine is busy: hence a few tries.
            var used: [(ticks: Int, switches: Int)] = []
            let isIdle = (1...5).contains { _ in
                let (ticks, switches) = (server.ticks, server.switches)
                sleep(2)
                used.append((server.ticks - ticks, server.switches - switches))
                return used.last.map { $0.ticks <= 1 && $0.switches <= 4 } ?? false
            }
            #expect(isIdle, "in each two seconds: \(used)")
        }

        @Test func `out of descriptors it waits without spinning and goes on when some are free`() throws {
            let server = try Child(["--port", "0"])
            let port = try server.port()
            let limiting = try Child(shell: "prlimit --pid \(server.pid) --nofile=50:50")
            #expect(limiting.exitCode() == 0)
            var peers = try (0..<80).map { _ in try Peer(port: port) }
            try peers[0].send("x\n")
            #expect(try !peers[0].read().isEmpty)
            usleep(300_000)
            let ticks = server.ticks
            sleep(2)
            #expect(server.ticks - ticks <= 10)  // Five percent.
            try peers[1].send("y\n")
            #expect(try !peers[1].read().isEmpty)
            let goesOn = try isPrompt(within: 1) {
                if peers.isEmpty { peers = try (0..<80).map { _ in try Peer(port: port) } }
                peers = []
                return try time {
                    let peer = try Peer(port: port)
                    try peer.send("z\n")
                    #expect(try !peer.read().isEmpty)
                }
            }
            #expect(goesOn)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let lines = server.restOfErrors().split(separator: "\n").filter {
                $0.contains("event=accept-paused")
            }
            #expect(lines.count == 1, "\(lines)")
        }

        @Test func `with few descriptors it takes fewer connections, and the rest wait`() throws {
            let server = try Child(shell: "ulimit -n 64; exec \"$0\" --memory --port 0")
            let port = try server.port()
            var peers = try (0..<100).map { _ in try Peer(port: port) }
            try peers[20].send("x\n")
            #expect(try !peers[20].read().isEmpty)
            peers[99].setTimeout(seconds: 0.3)
            try peers[99].send("y\n")
            #expect(throws: Peer.Failure.self) { try peers[99].read() }
            peers.removeFirst(80)
            peers[19].setTimeout(seconds: Peer.patience)
            #expect(try !peers[19].read().isEmpty)
        }

        @Test func `a port that can't be had is one sentence, soon, and status 1`() throws {
            let first = try Child(["--port", "0"])
            let port = try first.port()
            for (arguments, sentence) in [
                (["--port", "\(port)"], "--port: port \(port) on 127.0.0.1 is taken: "),
                (
                    ["--port", "\(port)", "--host", "localhost"],
                    "--port: port \(port) on localhost is taken: "
                ),
                (["--host", "192.0.2.1"], "--host: 192.0.2.1 is not an address of this machine: "),
                (["--host", "nowhere"], "--host: can't listen on 'nowhere': it is no IP address"),
                (
                    ["--port=0", "--admin", "nowhere:0"],
                    "--admin: can't listen on 'nowhere': it is no IP address"
                ),
                (
                    ["--port=0", "--admin=192.0.2.1:1", "--loops=2"],
                    "--admin: 192.0.2.1 is not an address of "
                ),
                (["--port=0", "--admin=localhost:\(port)"], "--admin: port \(port) on localhost is taken: "),
                (["--port=0", "--control", "/none/s"], "--control: no socket can be had at '/none/s' ("),
                (
                    ["--port=0", "--proxy-from=127.0.0.1", "--proxy-port", "\(port)"],
                    "--proxy-port: port \(port) on 127.0.0.1 is taken: "
                ),
            ] {
                let isSoon = try isPrompt(within: 1) {
                    let start = elapsed()
                    let server = try Child(arguments)
                    #expect(server.exitCode() == 1)
                    let seconds = elapsed() - start
                    #expect(server.restOfOutput() == "")
                    let lines = server.restOfErrors().split(separator: "\n", omittingEmptySubsequences: false)
                    #expect(lines.count == 2 && lines[0].hasPrefix("catrace-server: " + sentence), "\(lines)")
                    return seconds
                }
                #expect(isSoon, "\(arguments)")
            }
        }

        @Test func `killed with connections open, its port is free again at once`() throws {
            let first = try Child(["--port", "0"])
            let port = try first.port()
            let peer = try Peer(port: port)
            try peer.send("x\n")
            _ = try peer.read()
            first.signal(SIGKILL)
            #expect(first.exitCode() == 128 + SIGKILL)
            let second = try Child(["--port", "\(port)"])
            #expect(try second.port() == port)
        }

        @Test func `closed standard streams do it no harm`() throws {
            let port = try Child(["--port", "0"]).port()
            let server = try Child(shell: "exec \"$0\" --memory --port \(port) <&- >&- 2>&-")
            var peer: Peer?
            #expect(
                eventually {
                    peer = try? Peer(port: port)
                    return peer != nil
                })
            try peer?.send("x\n")
            #expect(try peer?.read().isEmpty == false)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
        }

        @Test func `a wrong command line is one sentence that names the flag, and status 2`() throws {
            for (arguments, part) in [
                (["--port", "99999"], "--port must be a whole number from 0 to 65535, not '99999'"),
                (["--port=-1"], "--port must be a whole number from 0 to 65535, not '-1'"),
                (["--port"], "--port needs a value"),
                (["--turn-seconds", "0"], "--turn-seconds must be a whole number from 1 to 86400, not '0'"),
                (["--idle-seconds=86401"], "--idle-seconds must be a whole number from 1 to 86400"),
                (["--seed", "x"], "--seed must be a whole number from 0 to 18446744073709551615, not 'x'"),
                (["--connections", "500000"], "500000 connections are more than `ulimit -n` allows for"),
                (["--loops", "17"], "--loops must be a whole number from 1 to 16, not '17'"),
                (["--log-level", "loud"], "--log-level must be debug, info, warning or error, not 'loud'"),
                (["--prot", "1"], "there is no flag '--prot'"),
                (["7223"], "what is meant by '7223'"),
                (["--help=yes"], "--help takes no value"),
            ] {
                let server = try Child(arguments)
                #expect(server.exitCode() == 2, "\(arguments)")
                let lines = server.restOfErrors().split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count == 2 && lines[0].contains(part), "\(lines)")
            }
        }

        @Test func `help is a manual that names every flag, and version a line`() throws {
            let help = try Child(["--help"])
            #expect(help.exitCode() == 0)
            let manual = help.restOfOutput()
            for flag in ["config", "print-config", "version", "help"] + Setting.all.map(\.key) {
                #expect(manual.contains("--\(flag)"))
            }
            #expect(manual.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let version = try Child(["--version"])
            #expect(version.exitCode() == 0)
            #expect(version.restOfOutput().hasPrefix("catrace-server "))
        }

        @Test func `each verb has a help of its own`() throws {
            for verb in Options.verbs {
                for words in ["help \(verb)", "\(verb) --help", "\(verb) -h"] {
                    let help = try Child(shell: "exec \"$0\" \(words)")
                    #expect(help.exitCode() == 0, "\(words)")
                    let text = help.restOfOutput()
                    #expect(text.hasPrefix("catrace-server \(verb) "), "\(text)")
                    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
                }
            }
            let none = try Child(shell: "exec \"$0\" help chekc")
            #expect(none.exitCode() == 2)
            #expect(none.restOfErrors().contains("there is no help on 'chekc'"))
        }

        @Test func `with a seed it warns that nothing is secret`() throws {
            let server = try Child(["--seed=1", "--port=0", "--log-level", "error"])
            _ = try server.port()
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            // That it was told to end is an act, which is written at every level.
            let errors = server.restOfErrors().split(separator: "\n").filter { !$0.contains(" event=audit ") }
            #expect(errors.count == 1 && errors[0].contains("with --seed"), "\(errors)")
        }

        @Test func `connects and resets while it is stopped and resumed leave it whole`() throws {
            let server = try Child(["--port", "0"])
            let port = try server.port()
            let before = openDescriptors(of: "\(server.pid)")
            for round in 0..<1000 {
                if round % 100 == 40 { server.signal(SIGSTOP) }
                if round % 100 == 60 { server.signal(SIGCONT) }
                let peer = try Peer(port: port)
                peer.makeAbortive()
            }
            let peer = try Peer(port: port)
            try peer.send("x\n")
            #expect(try !peer.read().isEmpty)
            #expect(eventually { openDescriptors(of: "\(server.pid)") <= before + 2 })
        }

        @Test func `it does not carry Foundation`() throws {
            let server = try Child(["--port", "0"])
            _ = try server.port()
            let maps = contents(of: "/proc/\(server.pid)/maps")
            #expect(maps.contains("catrace-server"))
            #expect(!maps.contains("Foundation"))
        }
    }
}
