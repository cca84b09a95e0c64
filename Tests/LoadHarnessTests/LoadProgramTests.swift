import Foundation
import Glibc
import Testing

/// The real programs over loopback, for a few seconds.
@Suite(.serialized) struct LoadProgramTests {
    private static func json(at path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private static func temporaryPath(_ name: String) -> String {
        NSTemporaryDirectory() + "catrace-load-\(getpid())-\(name).json"
    }

    @Test func `a short run against the server is clean, and its JSON says so`() throws {
        let (server, port) = try startServer()
        defer { server.signal(SIGTERM) }
        let path = Self.temporaryPath("closed")
        defer { unsafe unlink(path) }
        let load = try Program(
            "catrace-load",
            [
                "--connect", "127.0.0.1:\(port)", "--players", "30", "--seconds", "2", "--json", path,
                "--sources", "127.0.0.1-127.0.0.3",
            ])
        let (text, status) = load.finish()
        #expect(status == 0, "\(text)")
        #expect(text.contains("errors  none"))
        #expect(text.contains("closed model"))
        let json = try Self.json(at: path)
        #expect(json["ok"] as? Bool == true)
        #expect(json["errors"] as? Int == 0)
        #expect(json["model"] as? String == "closed")
        #expect(json["players_named"] as? Int == 30)
        #expect(try #require(json["moves"] as? Int) > 100)
        #expect(try #require(json["races_checked"] as? Int) > 0)
        let latency = try #require(json["latency"] as? [String: Any])
        let (p50, p99) = (latency["p50_us"] as? Double ?? 0, latency["p99_us"] as? Double ?? 0)
        #expect(p50 > 0 && p50 <= p99 && p99 <= latency["max_us"] as? Double ?? 0)
        #expect((json["limits"] as? [String: Any])?["sources"] as? Int == 3)
    }

    @Test func `the relay is driven like a server, and what its process used is reported`() throws {
        for (program, flags) in [("floor-relay", ["--floor"]), ("catrace-server", [])] {
            let arguments = program == "floor-relay" ? [] : ["--memory", "--port", "0"]
            let server = try Program(program, arguments)
            defer { server.signal(SIGTERM) }
            let port = try #require(server.line().split(separator: "port=").last.map(String.init))
            let path = Self.temporaryPath(program)
            defer { unsafe unlink(path) }
            var share = 0.0
            // In a second of a busy machine it may use less than the kernel counts.
            for seconds in [1, 4, 16] where share == 0 {
                let load = try Program(
                    "catrace-load",
                    [
                        "--connect", "127.0.0.1:\(port)", "--pairs", "20", "--seconds", "\(seconds)",
                        "--json", path, "--server-pid", "\(server.processID)",
                    ] + flags)
                let (text, status) = load.finish()
                #expect(status == 0, "\(text)")
                let json = try Self.json(at: path)
                #expect(json["errors"] as? Int == 0, "\(text)")
                #expect(json["players_named"] as? Int == 40)
                #expect(try #require(json["moves"] as? Int) > 100, "\(text)")
                let process = try #require(json["server_process"] as? [String: Any])
                share = try #require(process["processor_share"] as? Double)
                #expect(try #require(process["resident_bytes"] as? Int) > 100_000)
            }
            #expect(share > 0)
        }
    }

    @Test func `a paced run plays the races that are due`() throws {
        let (server, port) = try startServer()
        defer { server.signal(SIGTERM) }
        let path = Self.temporaryPath("open")
        defer { unsafe unlink(path) }
        let load = try Program(
            "catrace-load",
            [
                "--connect", "127.0.0.1:\(port)", "--players", "40", "--seconds", "2", "--rate", "10",
                "--pace", "20",
                "--json", path,
            ])
        let (text, status) = load.finish()
        #expect(status == 0, "\(text)")
        let json = try Self.json(at: path)
        #expect(json["model"] as? String == "open")
        #expect(json["races_due"] as? Int == 20)
        #expect(json["races_in_all"] as? Int == 20)
        #expect(json["races_never_begun"] as? Int == 0)
    }

    @Test func `players whose connections are cut come back into their seats`() throws {
        let (server, port) = try startServer()
        defer { server.signal(SIGTERM) }
        let path = Self.temporaryPath("drops")
        defer { unsafe unlink(path) }
        let load = try Program(
            "catrace-load",
            [
                "--connect", "127.0.0.1:\(port)", "--players", "100", "--seconds", "4", "--drops", "20",
                "--json", path,
            ])
        let (text, status) = load.finish()
        #expect(status == 0, "\(text)")
        let drops = try #require(try Self.json(at: path)["drops"] as? [String: Any])
        #expect(try #require(drops["cut"] as? Int) >= 70)
        #expect(drops["returned"] as? Int == drops["cut"] as? Int)
        #expect(drops["seats_lost"] as? Int == 0)
    }

    @Test func `a server that dies in the middle makes the run fail with what was lost`() throws {
        let (server, port) = try startServer()
        let path = Self.temporaryPath("killed")
        defer { unsafe unlink(path) }
        let load = try Program(
            "catrace-load",
            ["--connect", "127.0.0.1:\(port)", "--players", "10", "--seconds", "60", "--json", path])
        _ = load.line()
        #expect(server.hasConnections(10))
        server.signal(SIGKILL)
        let (text, status) = load.finish()
        #expect(status == 1)
        #expect(text.contains("connection lost"), "\(text)")
        #expect(try Self.json(at: path)["ok"] as? Bool == false)
    }

    @Test func `an interrupted run reports what it has`() throws {
        let (server, port) = try startServer()
        defer { server.signal(SIGTERM) }
        let load = try Program(
            "catrace-load", ["--connect", "127.0.0.1:\(port)", "--players", "10", "--seconds", "600"])
        _ = load.line()
        #expect(server.hasConnections(10))
        load.signal(SIGINT)
        let (text, status) = load.finish()
        #expect(status == 0, "\(text)")
        #expect(text.contains("errors  none"))
    }

    @Test func `nobody to connect to is an error by its name`() throws {
        let load = try Program(
            "catrace-load", ["--connect", "127.0.0.1:1", "--players", "4", "--seconds", "1"])
        let (text, status) = load.finish()
        #expect(status == 1)
        #expect(text.contains("4 x connect failed: ECONNREFUSED"), "\(text)")
    }

    @Test func `the command line is checked, and help is a manual`() throws {
        for (arguments, status, part) in [
            (["--help"], Int32(0), "EXIT STATUS"), (["--version"], 0, "catrace-load 1.0.0"),
            (["--players", "none"], 2, "--players must be"), (["--players", "900000"], 2, "descriptors"),
            (["--connect", "no.such.host.invalid"], 2, "check the name"),
            (["--json", "/no/such/directory/file"], 2, "can't write"),
        ] {
            let (text, found) = try Program("catrace-load", arguments).finish()
            #expect(found == status, "\(arguments): \(text)")
            #expect(text.contains(part), "\(arguments): \(text)")
        }
    }
}
