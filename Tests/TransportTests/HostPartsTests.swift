import EventLoop
import Lobby
import RaceModel
import ServerCore
import Store
import Synchronization
import Testing

@testable import ServerRuntime

extension TransportTests {
    @Suite struct HostPartsTests {
        @Test func `log values are one word or quoted, and nothing in them escapes`() {
            for (value, written) in [
                ("ann", "ann"), ("127.0.0.1:7223", "127.0.0.1:7223"), ("", "\"\""),
                ("two words", "\"two words\""),
                ("a=b", "\"a=b\""), ("say \"no\"\\", "\"say \\\"no\\\"\\\\\""),
                ("x\ny\r\t", "\"x\\ny\\r\\t\""),
                ("\u{1b}[2J", "\"\\u{1b}[2J\""), ("zoë", "\"zo\\u{eb}\""), ("\u{202e}", "\"\\u{202e}\""),
            ] {
                #expect(LogFormat.value(value) == written)
            }
            #expect(LogFormat.value(String(repeating: "a", count: 200)).count == 200)
            #expect(
                LogFormat.value(String(repeating: "a", count: 201)) == "\""
                    + String(repeating: "a", count: 200) + "...\"")
            let line = LogLine(.warning, "full", [LogLine.Field("alias", "a b"), LogLine.Field("n", "1")])
            let text = LogFormat.text.line(line, time: "T", leftOut: 3)
            #expect(text == "time=T level=warning event=full alias=\"a b\" n=1 left-out=3\n")
        }

        @Test func `as JSON a line is one object of strings, whatever is in the values`() {
            let line = LogLine(.info, "named", [LogLine.Field("alias", "z\u{eb}\"\\\n\u{1f600}")])
            #expect(
                LogFormat.json.line(line, time: "T", leftOut: 2)
                    == #"{"time":"T","level":"info","event":"named","#
                    + #""alias":"z\u00eb\"\\\u000a\ud83d\ude00","left-out":"2"}"#
                    + "\n")
        }

        @Test func `an event that floods the log is cut and counted, others are not`() {
            var rate = LogRate(linesPerSecond: 2)
            let second = Instant(nanoseconds: 1_000_000_000)
            #expect((0..<5).map { _ in rate.admit("flood", now: .zero) } == [0, 0, nil, nil, nil])
            #expect(rate.admit("other", now: .zero) == 0)
            #expect([rate.admit("flood", now: second), rate.admit("flood", now: second)] == [3, 0])
        }

        @Test func `sends of a batch are gathered by connection, in order, ranges that meet as one`() {
            var gather = OutputGather()
            let a = ConnectionID(slot: 0, generation: 1)
            let b = ConnectionID(slot: 200, generation: 7)
            func gathered(_ sends: [(ConnectionID, Range<Int>)]) -> [[Range<Int>]] {
                gather.clear()
                for (connection, range) in sends { gather.add(connection, range) }
                return gather.touched.map { touched in
                    var ranges = [touched.range]
                    var next = touched.next
                    while next >= 0 {
                        ranges.append(gather.pieces[next].range)
                        next = gather.pieces[next].next
                    }
                    return ranges
                }
            }
            #expect(
                gathered([(b, 0..<5), (a, 0..<5), (b, 5..<9), (a, 9..<12)]) == [[0..<9], [0..<5, 9..<12]])
            #expect(
                gathered([(a, 0..<1), (a, 2..<3), (b, 4..<5), (a, 3..<4), (a, 6..<7)])
                    == [[0..<1, 2..<4, 6..<7], [4..<5]])
            // A slot used again in one batch: its connections stay apart.
            let later = ConnectionID(slot: 0, generation: 2)
            #expect(gathered([(a, 0..<1), (later, 1..<2), (later, 2..<3)]) == [[0..<1], [1..<3]])
            #expect(gathered([]) == [])
        }

        @Test func `what was sent to one can be taken out ahead, and what follows comes by itself`() {
            var gather = OutputGather()
            let a = ConnectionID(slot: 0, generation: 1)
            let b = ConnectionID(slot: 1, generation: 1)
            #expect(gather.take(a) == nil)
            for (connection, range) in [(a, 0..<5), (b, 0..<5), (a, 9..<12)] { gather.add(connection, range) }
            #expect(
                gather.take(a) == OutputGather.Touched(connection: a, range: 0..<5, next: 0, last: 0))
            #expect(gather.pieces.map(\.range) == [9..<12])
            #expect(gather.take(a) == nil)
            gather.add(a, 12..<14)
            let left = gather.touched.filter { !$0.isTaken }
            #expect(left.map(\.connection) == [b, a])
            #expect(left.map(\.range) == [0..<5, 12..<14])
            #expect(left.allSatisfy { $0.next < 0 })
            gather.clear()
            #expect(gather.take(a) == nil)
        }

        @Test func `the store answers a batch together, in order, and a farewell not at all`() throws {
            let store = StoreQueue.memory()
            let answers = Mutex<[[StoreAnswer]]>([])
            store.start(log: LogWriter(level: .error)) { batch in answers.withLock { $0.append(batch) } }
            let alias = try #require(Alias("ann"))
            let requests: [DirectoryRequest] = [
                .claim(alias, keyDigest: .zero), .claim(alias, keyDigest: .zero), .findByAlias(alias),
                .forget(PlayerID(1)), .findByID(PlayerID(1)),
            ]
            store.ask(requests.enumerated().map { StoreRequest(LookUpID(UInt64($0)), .directory($1)) })
            #expect(eventually { answers.withLock { $0.count } == 1 })
            let batch = answers.withLock { $0[0] }
            #expect(batch.map(\.id.value) == [0, 1, 2, 4])
            let record = PlayerRecord(id: PlayerID(1), alias: alias, keyDigest: .zero, hasRaced: false)
            let expected: [DirectoryAnswer] = [.claimed(PlayerID(1)), .taken, .found(record), .notFound]
            #expect(batch.map(\.subject) == expected.map { .directory($0) })
        }

        /// In a process of its own: other tests have descriptors too.
        @Test func `a server can be run and stopped inside a process`() async {
            await #expect(processExitsWith: .success) {
                var before = 0
                for round in 0..<3 {
                    var settings = ServerSettings()
                    settings.port = 0
                    settings.logLevel = .error
                    let server = try RunningServer(settings)
                    let peer = try Peer(port: server.port)
                    try peer.send("x\n")
                    #expect(try !peer.read().isEmpty)
                    #expect(server.counters.live == 1)
                    #expect(server.counters.accepted == 1)
                    let stopped = Flag()
                    server.stop { stopped.set() }
                    #expect(eventually { stopped.isSet })
                    #expect(server.counters.live <= 1)
                    // The first has the libraries open what they keep.
                    if round == 0 { before = openDescriptors() }
                }
                #expect(eventually { openDescriptors() <= before })
            }
        }
    }
}
