import Glibc
import Synchronization
import Testing

@testable import ServerRuntime

extension TransportTests {
    @Suite struct AgonesTests {
        /// Stands in for Agones' helper: takes every POST, and keeps the paths.
        private final class Helper: Sendable {
            let port: UInt16
            private let descriptor: Int32
            private let taken: Taken
            private let script: Script

            private final class Taken: Sendable {
                let paths = Mutex<[String]>([])
            }

            init() throws {
                let (descriptor, port) = try listener()
                let taken = Taken()
                (self.descriptor, self.port, self.taken) = (descriptor, port, taken)
                self.script = Script {
                    while true {
                        let peer = accept(descriptor, nil, nil)
                        guard peer >= 0 else { return }
                        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
                        var request: [UInt8] = []
                        var room = [UInt8](repeating: 0, count: 4096)
                        while !text(request).hasSuffix("\r\n\r\n{}") {
                            let count = unsafe read(peer, &room, room.count)
                            guard count > 0 else { break }
                            request += room[..<count]
                        }
                        let words = text(request).split(separator: " ")
                        if words.count > 1, words[0] == "POST" {
                            taken.paths.withLock { $0.append(String(words[1])) }
                        }
                        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
                        _ = unsafe write(peer, answer, answer.count)
                        close(peer)
                    }
                }
            }

            deinit {
                shutdown(self.descriptor, Int32(SHUT_RDWR))
                // Its number is another's as soon as it is closed.
                self.script.join()
                close(self.descriptor)
            }

            var paths: [String] { self.taken.paths.withLock { $0 } }

            /// What it was told, beats apart; where the answer came too late, the same is told again.
            var stages: [String] {
                self.paths.filter { $0 != "/health" }.reduce(into: []) { stages, path in
                    if stages.last != path { stages.append(path) }
                }
            }
        }

        @Test func `Agones hears that it is ready, allocated while there is a race, and at its end`() throws {
            let helper = try Helper()
            let server = try Child([
                "--port", "0", "--log-level", "error", "--agones", "127.0.0.1:\(helper.port)",
            ])
            let player = try Peer(port: try server.port())
            #expect(eventually { helper.stages == ["/ready"] })
            try player.send("name ann\nplay bots=1\n")
            #expect(eventually { helper.stages == ["/ready", "/allocate"] })
            try player.send("quit\n")
            #expect(eventually { helper.stages == ["/ready", "/allocate", "/ready"] })
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            #expect(helper.stages == ["/ready", "/allocate", "/ready", "/shutdown"])
            #expect(helper.paths.count { $0 == "/health" } >= 3)
        }

        @Test func `without the helper it serves, and says so once`() throws {
            let server = try Child(["--port", "0", "--agones", "127.0.0.1:1"])
            _ = try Peer(port: try server.port())
            #expect(server.errors.lines(holding: "agones-not-reached").count == 1)
            // It tries again in vain, each two seconds.
            usleep(2_500_000)
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            _ = server.errors.lines(holding: "event=stopped")
            #expect(server.errors.lines(holding: "agones-not-reached").count == 1)
        }
    }
}
