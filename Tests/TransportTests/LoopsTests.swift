import EventLoop
import Glibc
import RaceModel
import ServerCore
import Testing

@testable import ServerRuntime

extension TransportTests {
    /// Sockets on several loops, the core on its own queue.
    @Suite struct LoopsTests {
        private static func server(loops: Int = 2, connections: Int = 100) throws -> RunningServer {
            var settings = ServerSettings()
            settings.port = 0
            settings.loops = loops
            settings.connections = connections
            settings.logLevel = .error
            // How the loops cope is what is tested, not how much one may ask for.
            settings.core.budgets.talk = Budget(perSecond: 100_000, burst: 100_000)
            return try RunningServer(settings)
        }

        private static func stop(_ server: RunningServer) {
            let stopped = Flag()
            server.stop { stopped.set() }
            #expect(eventually { stopped.isSet })
        }

        @Test func `slots of all loops are one dense range, and each finds back`() {
            for loops in 1...4 {
                var seen: Set<UInt32> = []
                for index in 0..<loops {
                    for slot in UInt32(0)..<5 {
                        let own = ConnectionID(slot: slot, generation: 3)
                        let shared = SlotShare(loops: loops, index: index).shared(own)
                        #expect(SlotShare.loop(of: shared, loops: loops) == index)
                        #expect(SlotShare.own(shared, loops: loops) == own)
                        seen.insert(shared.slot)
                    }
                }
                #expect(seen == Set(0..<UInt32(loops * 5)))
            }
        }

        @Test func `who has much on the way is backed up until it is carried out, or read`() {
            var ahead = OutputAhead()
            let (a, b) = (ConnectionID(slot: 1, generation: 1), ConnectionID(slot: 2, generation: 1))
            let half = Limits.backedUpBytes / 2
            let got1 = ahead.note(a, half, 1, loop: 1)
            #expect(!got1)
            let got2 = ahead.note(b, half, 1, loop: 0)
            #expect(!got2)
            let got3 = ahead.note(a, half, 2, loop: 1)
            #expect(!got3)
            let got4 = ahead.note(a, 1, 2, loop: 1)
            #expect(got4)
            let got5 = ahead.note(a, half, 3, loop: 1)
            #expect(!got5)
            let got6 = ahead.caughtUp(carried: [1, 2])
            #expect(got6 == [])
            let got7 = ahead.caughtUp(carried: [1, 3])
            #expect(got7 == [a])
            // Both again: its loop says so too, and what is read later counts.
            let got8 = ahead.note(a, 2 * half + 1, 4, loop: 1)
            #expect(got8)
            ahead.setBackedUp(a)
            let got9 = ahead.caughtUp(carried: [1, 4])
            #expect(got9 == [])
            let got10 = ahead.drained(a)
            #expect(got10)
            // Carried out meanwhile: the count begins anew.
            let first = ahead.note(b, half + 1, 2, loop: 0)
            let caughtUp = ahead.caughtUp(carried: [2, 4])
            let second = ahead.note(b, half, 3, loop: 0)
            #expect(!first && caughtUp == [] && !second)
            // Another one in its place owes nothing.
            let later = ConnectionID(slot: 1, generation: 2)
            let got11 = ahead.note(later, 2 * half, 9, loop: 1)
            #expect(!got11)
        }

        @Test func `orders share the bytes of one round and carry what is answered`() {
            var way = WayToLoop()
            let id = ConnectionID(slot: 0, generation: 1)
            #expect(!way.hasOrders(isFull: false))
            way.noteReport(
                LoopReport(
                    events: [.inputEnded(id), .received(id, 0..<3)], bytes: [1, 2, 3], carried: 0,
                    carriedBytes: 0))
            #expect(!way.hasOrders(isFull: false))
            way.add(.send(id, 1..<3), sharing: [10, 11, 12])
            way.closeBytes()
            way.add(.send(id, 0..<2), sharing: [20, 21])
            way.closeBytes()
            #expect(way.outputBytes == 4)
            let full = way.takeOrders(isFull: true)
            #expect(full.outputs == [.send(id, 1..<3), .send(id, 3..<5)])
            #expect(full.bytes == [10, 11, 12, 20, 21])
            #expect((full.number, full.sentBytes, full.answered, full.answeredBytes) == (1, 4, 0, 0))
            way.wantReport()
            let later = way.takeOrders(isFull: false)
            #expect((later.number, later.answered, later.answeredBytes) == (2, 2, 3))
            way.noteReport(LoopReport(carried: 2, carriedBytes: 4))
            #expect((way.outputBytes, way.carried) == (0, 2))
        }

        /// In a process of its own: other tests have descriptors too.
        @Test func `a server on several loops runs, counts and stops, and leaves nothing behind`() async {
            await #expect(processExitsWith: .success) {
                var before = 0
                for round in 0..<3 {
                    let server = try Self.server(loops: 3)
                    let peers = try (0..<9).map { _ in try Peer(port: server.port) }
                    for (number, peer) in peers.enumerated() { try peer.send("name somebody-\(number)\n") }
                    for peer in peers { #expect(try text(peer.read(exactly: 5)) == "hello") }
                    #expect(server.counters.live == 9)
                    #expect(server.counters.accepted == 9)
                    Self.stop(server)
                    for peer in peers { #expect(try text(peer.readToEnd()).contains("bye reason=shutdown")) }
                    // The first has the libraries open what they keep.
                    if round == 0 { before = openDescriptors() }
                }
                #expect(eventually { openDescriptors() <= before })
            }
        }

        @Test func `connections of all loops together have the limit, and who ends makes room`() throws {
            let server = try Self.server(loops: 3, connections: 5)
            defer { Self.stop(server) }
            var peers = try (0..<6).map { _ in try Peer(port: server.port) }
            for peer in peers { try peer.send("x\n") }
            for peer in peers.prefix(5) { #expect(try !peer.read().isEmpty) }
            peers[5].setTimeout(seconds: 0.2)
            #expect(throws: Peer.Failure.self) { try peers[5].read() }
            peers.remove(at: 1)
            peers[4].setTimeout(seconds: Peer.patience)
            #expect(try !peers[4].read().isEmpty)
            for round in 0..<30 {
                peers.removeFirst()
                let peer = try Peer(port: server.port)
                try peer.send("x\n")
                #expect(try !peer.read().isEmpty, "round \(round)")
                peers.append(peer)
            }
        }

        /// Goal: who asks faster than they read is slowed down and not closed, though the core runs ahead.
        /// Method: a peer sends requests with long answers without reading, then reads it all and counts.
        @Test func `who asks much and reads late gets every answer`() throws {
            let server = try Self.server()
            defer { Self.stop(server) }
            let peer = try Peer(port: server.port, receiveBuffer: 4096)
            try peer.send("name ann\n")
            let count = 3000
            let sender = Script { [port = server.port] in
                // Others go on meanwhile.
                guard let other = try? Peer(port: port) else { return }
                for _ in 0..<50 {
                    try? other.send("ping\n")
                    _ = try? other.read()
                }
            }
            nonisolated(unsafe) let writer = peer
            let asking = Script {
                unsafe try? writer.send(Array(String(repeating: "help\n", count: count).utf8))
                unsafe try? writer.send("quit\n")
            }
            usleep(300_000)
            let bytes = try peer.readToEnd()
            asking.join()
            sender.join()
            #expect(text(Array(bytes.suffix(200))).contains("bye reason=quit"), "\(bytes.count) bytes")
            #expect(bytes.count > count * 100)
            #expect(server.counters.slowReaders == 0)
        }
    }
}
