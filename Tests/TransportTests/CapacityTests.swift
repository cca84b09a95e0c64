import EventLoop
import Glibc
import Lobby
import RaceModel
import ServerCore
import Store
import Testing

@testable import ServerRuntime

extension TransportTests {
    @Suite struct CapacityTests {
        @Test func `the most connections that fit fit, and one more does not`() {
            for bytes in [1 << 30, 3_000_000_000, 1 << 40] {
                let connections = Capacity.connections(within: bytes)
                #expect(Capacity(connections: connections).mostBytes <= bytes)
                #expect(connections == 1_000_000 || Capacity(connections: connections + 1).mostBytes > bytes)
            }
            #expect(Capacity.connections(within: 100_000_000) == 0)
            #expect(
                [1, 1024, 1025, 3 << 20, 1 << 30, 1_181_116_007].map { Capacity.text($0) }
                    == ["1KiB", "1KiB", "2KiB", "3MiB", "1.0GiB", "1.1GiB"])
            let line = Capacity(connections: 10).line(memory: 1 << 20)
            #expect(line.level == .warning)
            #expect(Capacity(connections: 10).line(memory: 1 << 40).level == .info)
        }

        @Test func `memory limits are read from what the system says of them`() {
            #expect(MemoryLimits.machine("MemTotal: 9 kB\nMemAvailable:    2000 kB\n") == 2_048_000)
            #expect(MemoryLimits.machine("MemTotal: 9 kB\n") == nil)
            #expect(MemoryLimits.number("1048576\n") == 1_048_576)
            #expect(MemoryLimits.number("max\n") == nil)
            #expect(MemoryLimits.number("9223372036854771712\n") == nil)
            #expect(
                MemoryLimits.groupFiles("4:cpu,memory:/a/b\n3:cpuset:/\n0::/c\n") == [
                    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                    "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
                    "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "/sys/fs/cgroup/memory.max",
                    "/sys/fs/cgroup/c/memory.max",
                ])
            #expect((MemoryLimits.available() ?? 0) > 1 << 20)
        }

        /// A stated size is right when it is at least what is measured, and less than four times as much.
        private static func check(_ stated: Int, _ measured: Int, _ what: String) {
            guard measured <= stated, measured * 4 > stated else {
                writeFully("\(what): stated \(stated), measured \(measured) bytes\n", to: STDERR_FILENO)
                exit(1)
            }
        }

        /// Memory in use, in bytes, in a process where nothing else happens.
        private static var used: Int {
            let pages = contents(of: "/proc/self/statm").split(separator: " ").dropFirst().first
            return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        @Test func `a remembered player and alias take what is stated at most`() async {
            await #expect(processExitsWith: .success) {
                let count = 50_000
                let before = Self.used
                var store = MemoryStore()
                for number in 0..<count {
                    guard let alias = Alias("remembered-\(number)") else { exit(2) }
                    _ = store.answer(.claim(alias, keyDigest: .zero))
                }
                let players = Self.used
                Self.check(Capacity.player, (players - before) / count, "player")
                var directory = AliasDirectory(capacity: count)
                for number in 0..<count {
                    guard let alias = Alias("remembered-\(number)") else { exit(2) }
                    directory.remember(PlayerID(UInt64(number)), alias)
                }
                Self.check(Capacity.alias, (Self.used - players) / count, "alias")
                exit(store.count == directory.count ? 0 : 3)
            }
        }

        @Test func `a connection with its player, and a race, take what is stated at most`() async {
            await #expect(processExitsWith: .success) {
                let count = 4000
                var server = RaceServer(
                    configuration: ServerConfiguration(), entropy: SeededGenerator(seed: 1))
                var store = MemoryStore()
                var outbox = Outbox()
                func feed(_ input: Input) {
                    server.handle(input, now: .zero, into: &outbox)
                    let errands = outbox.errands
                    outbox.clear()
                    for case .directory(let id, let request) in errands {
                        if let answer = store.answer(request) { feed(.answered(id, answer)) }
                    }
                }
                guard let here = NetworkAddress(endpoint: "127.0.0.1:7223") else { exit(5) }
                let before = Self.used
                let ids = (0..<count).map { ConnectionID(slot: UInt32($0), generation: 1) }
                for (number, id) in ids.enumerated() {
                    feed(.accepted(id, address: here))
                    feed(.received(id, Array("name somebody-\(number)\n".utf8)[...]))
                }
                let connected = Self.used
                // The store's share is that of a remembered player.
                let each = (connected - before) / count - Capacity.player / 2
                Self.check(Capacity.connection, each, "connection")
                for id in ids { feed(.received(id, Array("play bots=1\n".utf8)[...])) }
                guard server.census.matches == count else { exit(4) }
                Self.check(Capacity.race - 2 * Limits.loggedEvents, (Self.used - connected) / count, "race")
                exit(0)
            }
        }

        @Test func `connections that memory can't keep are refused with the number it can`() throws {
            let server = try Child(
                shell: "ulimit -v 3000000; exec \"$0\" --memory --port 0 --connections 500")
            #expect(try server.port() > 0)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let log = server.restOfErrors()
            #expect(log.contains("event=capacity connections=500 "), "\(log)")
            let refused = try Child(
                shell: "ulimit -n 4096; ulimit -v 1000000; exec \"$0\" --memory --port 0 --connections 4000")
            #expect(refused.exitCode() == 2)
            let sentence = refused.restOfErrors()
            #expect(sentence.hasPrefix("catrace-server: 4000 connections may take "), "\(sentence)")
            #expect(sentence.contains(" of memory, and there is 977MiB: choose "), "\(sentence)")
            #expect(sentence.contains(" or fewer"), "\(sentence)")
        }

        /// All together may have 16 times 1000 bytes unread here, and then a hundred each.
        @Test func `when all together leave too much unread, who has more than a share is closed`() throws {
            let limits = SocketLoop.Limits(
                connections: 100, unreadOutputBytes: 1000, unreadOutputShareBytes: 100)
            #expect(limits.mostOutputBytes == 26_000)
            let loop = try TestLoop(limits: limits)
            defer { loop.shutDown() }
            loop.on { $0.onReceived = { _, _, _ in } }
            let peers = try (0..<20).map { _ in try Peer(port: loop.port) }
            #expect(eventually { loop.on { $0.accepted.count } == peers.count })
            loop.on { handler in
                for connection in handler.accepted {
                    handler.loop.hold(connection)
                    handler.loop.send(connection, [UInt8](repeating: 1, count: 900).span)
                }
            }
            // 17 times 900 were kept; of the last three, each would have come above.
            #expect(loop.ends == [.slowReader, .slowReader, .slowReader])
            #expect(loop.live == 17)
            // A share is everybody's, whatever others have.
            let other = try Peer(port: loop.port)
            #expect(eventually { loop.on { $0.accepted.count } == 21 })
            loop.on { handler in
                handler.loop.hold(handler.accepted[20])
                for _ in 0..<2 {
                    handler.loop.send(handler.accepted[20], [UInt8](repeating: 1, count: 50).span)
                }
                handler.loop.send(handler.accepted[0], [UInt8](repeating: 1, count: 100).span)
                handler.loop.send(handler.accepted[1], [UInt8](repeating: 1, count: 700).span)
            }
            #expect(loop.live == 17)
            #expect(peers.count == 20 && other.descriptor >= 0)
        }
    }
}
