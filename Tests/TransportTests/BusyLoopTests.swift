import Dispatch
import Glibc
import RaceModel
import Synchronization
import Testing

@testable import EventLoop

extension TransportTests {
    /// A loop with much to do waits for its sockets itself; its queue must not notice.
    @Suite struct BusyLoopTests {
        /// A loop that echoes, a peer that keeps it busy until the flag is set, and how often it has done so.
        private final class Traffic: Sendable {
            let loop: TestLoop
            let rounds = Atomic<Int>(0)
            let isOver = Flag()
            private let script = Mutex<Script?>(nil)

            /// - Parameter pause: microseconds between two messages, so that the loop waits most of the time.
            init(pause: UInt32 = 300) throws {
                self.loop = try TestLoop()
                let peer = try Peer(port: self.loop.port)
                nonisolated(unsafe) let sender = peer
                self.script.withLock { [self] script in
                    script = Script {
                        while !self.isOver.isSet {
                            guard unsafe (try? sender.send("x")) != nil,
                                unsafe (try? sender.read(exactly: 1)) != nil
                            else { return }
                            self.rounds.add(1, ordering: .relaxed)
                            usleep(pause)
                        }
                    }
                }
            }

            func end() {
                self.isOver.set()
                self.script.withLock { $0 }?.join()
                self.loop.shutDown()
            }
        }

        @Test func `work from elsewhere is done within a millisecond, although the loop waits`() throws {
            let traffic = try Traffic(pause: 3000)
            defer { traffic.end() }
            var medians: [Double] = []
            let isQuick = isPrompt(within: 0.001, tries: 20) {
                var times: [Double] = []
                for _ in 0..<200 {
                    times.append(time { traffic.loop.on { _ in } })
                    usleep(500)
                }
                medians.append(times.sorted()[100])
                return times.sorted()[100]
            }
            #expect(isQuick, "medians \(medians)")
            #expect(traffic.rounds.load(ordering: .relaxed) > 10)
        }

        @Test func `work that rings nobody is done too, in a few milliseconds, under full load`() throws {
            let traffic = try Traffic(pause: 0)
            defer { traffic.end() }
            #expect(eventually { traffic.rounds.load(ordering: .relaxed) > 50 })
            var times: [Double] = []
            for _ in 0..<50 { times.append(time { traffic.loop.confined.queue.sync {} }) }
            #expect(times.sorted()[25] < 0.25, "\(times)")
        }

        @Test func `a deadline comes on time while the loop is busy`() throws {
            let traffic = try Traffic(pause: 1500)
            defer { traffic.end() }
            #expect(eventually { traffic.rounds.load(ordering: .relaxed) > 10 })
            var medians: [Double] = []
            let isOnTime = isPrompt(within: 0.001, tries: 20) {
                var late: [Double] = []
                for _ in 0..<20 {
                    let due = traffic.loop.on { handler in
                        handler.deadlines = []
                        let due = handler.loop.now + .milliseconds(7)
                        handler.loop.setDeadline(due)
                        return due
                    }
                    #expect(eventually { traffic.loop.on { $0.deadlines.count } == 1 })
                    late.append(Double((traffic.loop.on { $0.deadlines[0] } - due).nanoseconds) / 1e9)
                }
                #expect(late.allSatisfy { $0 >= 0 })
                medians.append(late.sorted()[10])
                return late.sorted()[10]
            }
            #expect(isOnTime, "seconds late: \(medians)")
        }

        @Test func `storms of work that rings do not keep the sockets from being served`() throws {
            let traffic = try Traffic(pause: 0)
            defer { traffic.end() }
            let ringers = (0..<2).map { _ in
                Script {
                    for _ in 0..<20_000 { traffic.loop.confined.enqueue { _ in } }
                    traffic.loop.on { _ in }
                }
            }
            for ringer in ringers { ringer.join() }
            let rounds = traffic.rounds.load(ordering: .relaxed)
            #expect(eventually { traffic.rounds.load(ordering: .relaxed) > rounds + 100 })
        }

        /// Such as when many connections wait for a turn, and the store answers.
        @Test func `work that rings comes behind one batch, although a deadline is always due`() throws {
            let traffic = try Traffic(pause: 0)
            defer { traffic.end() }
            traffic.loop.on { handler in
                handler.onDeadline = { handler in
                    usleep(2000)
                    handler.loop.setDeadline(handler.loop.now)
                }
                handler.loop.setDeadline(handler.loop.now)
            }
            #expect(eventually { traffic.rounds.load(ordering: .relaxed) > 10 })
            var times: [Double] = []
            let isQuick = isPrompt(within: 0.015) {
                let steps = (0..<20).map { _ in time { traffic.loop.on { _ in } } }
                times.append(steps.sorted()[10])
                return steps.sorted()[10]
            }
            #expect(isQuick, "medians \(times)")
        }

        /// Goal: nothing is lost where the loop goes from busy to idle and back.
        /// Method: messages with pauses around the span after which it becomes idle, from a seed; each must be
        /// answered.
        @Test func `every message is answered, whenever it comes`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            var generator = SeededGenerator(seed: 7)
            let peer = try Peer(port: loop.port)
            let span = Int(busySpanMicroseconds)
            for round in 0..<300 {
                try peer.send([UInt8(truncatingIfNeeded: round)])
                #expect(
                    try peer.read(exactly: 1) == [UInt8(truncatingIfNeeded: round)], "seed 7, round \(round)")
                usleep(UInt32([0, 100, span - 100, span, span + 100][Int(generator.below(5))]))
            }
        }

        /// In a process of its own: other tests have threads too.
        @Test func `after a quiet moment it costs nothing again`() async {
            await #expect(processExitsWith: .success) {
                let traffic = try Traffic()
                #expect(eventually { traffic.rounds.load(ordering: .relaxed) > 50 })
                traffic.isOver.set()
                var switches: [Int] = []
                // This thread's own naps, and what the test's other threads do, which takes a while to end.
                let isQuiet = (1...10).contains { _ in
                    let before = Self.switches()
                    usleep(300_000)
                    switches.append(Self.switches() - before)
                    return switches.last.map { $0 < 20 } ?? false
                }
                #expect(isQuiet, "\(switches)")
                traffic.end()
            }
        }

        /// In a process of its own: other tests have descriptors too.
        @Test func `a loop that is shut down while it is busy lets go of everything`() async {
            await #expect(processExitsWith: .success) {
                var before = 0
                for round in 0..<21 {
                    let traffic = try Traffic(pause: 0)
                    #expect(eventually { traffic.rounds.load(ordering: .relaxed) > 0 })
                    traffic.loop.shutDown()
                    traffic.end()
                    // The first has the libraries open what they keep.
                    if round == 0 { before = openDescriptors() }
                }
                #expect(eventually { openDescriptors() <= before })
            }
        }

        @Test func `called for nothing, it looks once and is Dispatch's again`() throws {
            let loop = try TestLoop()
            defer { loop.shutDown() }
            let isQuick = isPrompt(within: 0.005, tries: 20) {
                loop.on { handler in
                    handler.loop.lastNews = SocketLoop.clock()
                    return time { handler.loop.turn() }
                }
            }
            #expect(isQuick)
        }

        private var busySpanMicroseconds: Int64 { SocketLoop.busySpan.nanoseconds / 1000 }

        /// How often the threads of this process went to sleep so far.
        private static func switches() -> Int {
            directoryEntries("/proc/self/task").reduce(0) { sum, task in
                contents(of: "/proc/self/task/\(task)/status").split(separator: "\n")
                    .filter { $0.hasPrefix("voluntary_ctxt_switches") }
                    .reduce(sum) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
            }
        }
    }
}
