import Glibc
import RaceModel
import Testing

@testable import EventLoop

extension TransportTests {
    @Suite struct HoldTests {
        /// One connection at a loop that answers nothing by itself.
        private static func pair(_ loop: TestLoop, receiveBuffer: Int32? = nil) throws -> (Peer, ConnectionID)
        {
            loop.on { $0.onReceived = { _, _, _ in } }
            let peer = try Peer(port: loop.port, receiveBuffer: receiveBuffer)
            #expect(eventually { loop.on { $0.accepted.count } == 1 })
            return (peer, loop.on { $0.accepted[0] })
        }

        /// Whether nothing comes within a tenth of a second.
        private static func isQuiet(_ peer: Peer) -> Bool {
            peer.setTimeout(seconds: 0.1)
            defer { peer.setTimeout(seconds: Peer.patience) }
            return (try? peer.read()) == nil
        }

        @Test func `held output goes out at the last release, in order and in one write`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.send(connection, Array("before ".utf8).span)
                handler.loop.hold(connection)
                handler.loop.hold(connection)
                handler.loop.send(connection, Array("first ".utf8).span)
            }
            #expect(try text(peer.read(exactly: 7)) == "before ")
            #expect(Self.isQuiet(peer))
            loop.on { handler in
                handler.loop.release(connection)
                handler.loop.send(connection, Array("second ".utf8).span)
            }
            #expect(Self.isQuiet(peer))
            #expect(loop.on { $0.loop.unsentBytes(connection) } == 13)
            let writes = loop.on { $0.loop.counters.writes }
            loop.on { handler in
                handler.loop.release(connection)
                handler.loop.send(connection, Array("behind".utf8).span)
            }
            #expect(try text(peer.read(exactly: 19)) == "first second behind")
            #expect(loop.on { $0.loop.counters.writes } == writes + 2)
            #expect(loop.on { $0.drains } == [connection])
            // One too many does nothing.
            loop.on { handler in
                handler.loop.release(connection)
                handler.loop.send(connection, [UInt8(ascii: "!")].span)
            }
            #expect(try text(peer.read()) == "!")
        }

        @Test
        func `what is sent ahead comes before all that is held, in order, and behind all that was sent`()
            throws
        {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop, receiveBuffer: 4096)
            let chunk = [UInt8](repeating: 7, count: 50_000)
            // Without a hold it is sent like anything.
            loop.on { $0.loop.sendAhead(connection, Array("now".utf8).span) }
            #expect(try text(peer.read()) == "now")
            // The socket is full: some output waits when the hold comes.
            var count = 0
            for _ in 0..<100 where loop.on({ $0.loop.unsentBytes(connection) }) == 0 {
                loop.on { $0.loop.send(connection, chunk.span) }
                count += chunk.count
            }
            // Half of what waits is written first.
            let first = try peer.read(exactly: count / 2)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.send(connection, Array("held".utf8).span)
                handler.loop.sendAhead(connection, Array("one ".utf8).span)
                handler.loop.hold(connection)
                handler.loop.sendAhead(connection, Array("two ".utf8).span)
                handler.loop.close(connection)
                handler.loop.sendAhead(connection, Array("three ".utf8).span)
                handler.loop.release(connection)
                handler.loop.release(connection)
            }
            let rest = try peer.read(exactly: count - first.count + 18)
            #expect((first + rest).prefix(count).allSatisfy { $0 == 7 })
            #expect(text(Array(rest.suffix(18))) == "one two three held")
            #expect(try peer.read().isEmpty, "then it is closed")
        }

        @Test func `what is sent ahead counts among what may be unread`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 10, unreadOutputBytes: 1000))
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.sendAhead(connection, [UInt8](repeating: 1, count: 1000).span)
            }
            #expect(loop.ends == [])
            loop.on { $0.loop.sendAhead(connection, [1].span) }
            #expect(loop.ends == [.slowReader])
            #expect(try peer.readToEnd() == [])
        }

        @Test func `what is sent ahead leaves nothing in the count of what is unread`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.sendAhead(connection, Array("ahead ".utf8).span)
                handler.loop.send(connection, Array("held".utf8).span)
            }
            #expect(loop.on { $0.loop.unreadBytes } == 10)
            loop.on { $0.loop.release(connection) }
            #expect(try text(peer.read(exactly: 10)) == "ahead held")
            #expect(loop.on { $0.loop.unreadBytes } == 0)
        }

        @Test func `while output is held the loop sleeps, although the peer could take it`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop, receiveBuffer: 4096)
            let chunk = [UInt8](repeating: 7, count: 200_000)
            // The socket is full and watched for room; then the hold comes, and then the room.
            for _ in 0..<50 where loop.on({ $0.loop.unsentBytes(connection) }) == 0 {
                loop.on { $0.loop.send(connection, chunk.span) }
            }
            loop.on { $0.loop.hold(connection) }
            let waiting = loop.on { $0.loop.unsentBytes(connection) }
            #expect(waiting > 0)
            peer.setTimeout(seconds: 0.1)
            while let bytes = try? peer.read(), !bytes.isEmpty {}
            peer.setTimeout(seconds: Peer.patience)
            let batches = loop.on { $0.loop.counters.batches }
            usleep(100_000)
            #expect(loop.on { $0.loop.counters.batches } == batches)
            #expect(loop.on { $0.loop.unsentBytes(connection) } == waiting)
            loop.on { $0.loop.release(connection) }
            #expect(try peer.read(exactly: waiting).count == waiting)
        }

        @Test func `what the kernel does not take at the release follows, and is told once`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 10, unreadOutputBytes: 16_000_000))
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop, receiveBuffer: 4096)
            let bytes = (0..<12_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 16) }
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.send(connection, bytes.span)
                handler.loop.release(connection)
                handler.loop.hold(connection)
                handler.loop.release(connection)
            }
            #expect(loop.on { $0.loop.unsentBytes(connection) } > 0)
            #expect(loop.on { $0.drains } == [])
            #expect(try peer.read(exactly: bytes.count) == bytes)
            #expect(eventually { loop.on { $0.drains } == [connection] })
        }

        @Test func `a close while output is held comes behind it, however late the release`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.send(connection, Array("bye".utf8).span)
                handler.loop.close(connection)
                handler.loop.send(connection, Array("never".utf8).span)
            }
            // Longer than a closing connection may go without taking output.
            usleep(2_200_000)
            #expect(loop.live == 1)
            #expect(Self.isQuiet(peer))
            loop.on { $0.loop.release(connection) }
            #expect(try text(peer.readToEnd()) == "bye")
            peer.endOutput()
            #expect(eventually { loop.ends == [.closed] })
            #expect(loop.on { $0.drains } == [])
        }

        @Test func `what is sent ahead goes before the held last words of a connection that closes`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.send(connection, Array("bye".utf8).span)
                handler.loop.close(connection)
                handler.loop.sendAhead(connection, Array("a warning, ".utf8).span)
                handler.loop.release(connection)
            }
            #expect(try text(peer.readToEnd()) == "a warning, bye")
        }

        @Test func `with nothing to write, a close does not wait for the release`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.close(connection)
            }
            #expect(try peer.readToEnd() == [])
            peer.endOutput()
            #expect(eventually { loop.ends == [.closed] })
        }

        @Test func `held output has the limit of all output`() throws {
            let loop = try TestLoop(limits: SocketLoop.Limits(connections: 10, unreadOutputBytes: 1000))
            defer { loop.shutDown() }
            let (peer, connection) = try Self.pair(loop)
            loop.on { handler in
                handler.loop.hold(connection)
                handler.loop.send(connection, [UInt8](repeating: 1, count: 1000).span)
            }
            #expect(loop.ends == [])
            loop.on { $0.loop.send(connection, [1].span) }
            #expect(loop.ends == [.slowReader])
            #expect(try peer.readToEnd() == [])
        }

        @Test func `an abort, a reset and a shut down end a held connection at once`() throws {
            for way in 0..<3 {
                let loop = try TestLoop()
                defer { loop.shutDown() }
                let (held, connection) = try Self.pair(loop)
                var peer: Peer? = consume held
                loop.on { handler in
                    handler.loop.hold(connection)
                    handler.loop.send(connection, Array("lost".utf8).span)
                }
                switch way {
                case 0:
                    loop.on { $0.loop.abort(connection) }
                    #expect(loop.ends == [.closed])
                case 1:
                    peer?.makeAbortive()
                    peer = nil
                    #expect(eventually { loop.ends == [.reset] })
                default:
                    loop.shutDown()
                    #expect(try peer?.read() == [])
                }
                loop.confined.waitOnQueue { $0.loop.release(connection) }
            }
        }

        @Test func `the slot of an idle connection stays small`() {
            #expect(MemoryLayout<ConnectionSlot>.stride == 32)
        }
    }
}
