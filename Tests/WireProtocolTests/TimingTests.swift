import Foundation
import RaceModel
import Testing
import WireProtocol

/// Figures rather than verdicts: they run when asked (`CATRACE_TIMING=1`, a release build), and only a gross
/// loss fails.
@Suite(
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["CATRACE_TIMING"] != nil, "on demand: CATRACE_TIMING=1"))
struct TimingTests {
    private static let rounds = 1000

    /// The best of many short runs: what else the machine does can only make one slower.
    private func measure(_ what: String, _ body: () throws -> Void) rethrows {
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        for _ in 0..<500 { best = min(best, try clock.measure { try body() }) }
        let nanoseconds = Double(best.components.attoseconds) / 1e9 / Double(Self.rounds)
        print("\(what): \(nanoseconds) ns")
        #expect(nanoseconds < 2000)
    }

    @Test func `moves and their answers take well under a microsecond`() throws {
        let rounds = Self.rounds
        let frames = (0..<100).flatMap { Feed.frame(.move(turn: UInt32($0))) }
        var decoder = FrameDecoder<ClientMessage>()
        var sum: UInt64 = 0
        try self.measure("decode Move, binary") {
            for _ in 0..<(rounds / 100) {
                var input = frames[...]
                while case .move(let turn)? = try decoder.next(in: &input) { sum += UInt64(turn) }
            }
        }
        #expect(sum == 500 * 4950 * UInt64(rounds / 100))

        let lines = (1...100).flatMap { Feed.line(.move(turn: UInt32($0))) }
        var lineDecoder = LineDecoder()
        sum = 0
        try self.measure("decode move, text") {
            for _ in 0..<(rounds / 100) {
                var input = lines[...]
                while case .message(.move(let turn))? = try lineDecoder.next(in: &input) {
                    sum += UInt64(turn)
                }
            }
        }
        #expect(sum == 500 * 5050 * UInt64(rounds / 100))

        let player = PlayerNumber(1)
        let moved = ServerMessage.moved(
            Moved(sequence: 123, turn: 45, player: player, steps: 6, position: 25, automatic: false))
        let turn = ServerMessage.turnStarted(
            TurnStarted(sequence: 124, turn: 46, player: player, seconds: 20))
        var buffer: [UInt8] = []
        buffer.reserveCapacity(4096)
        self.measure("encode Moved and TurnStarted, binary") {
            for _ in 0..<rounds {
                buffer.removeAll(keepingCapacity: true)
                BinaryEncoder.append(moved, to: &buffer)
                BinaryEncoder.append(turn, to: &buffer)
            }
        }
        #expect(buffer.count == 32)
        self.measure("encode moved and turn, text") {
            for _ in 0..<rounds {
                buffer.removeAll(keepingCapacity: true)
                LineEncoder.append(moved, names: Samples.names, to: &buffer)
                LineEncoder.append(turn, names: Samples.names, to: &buffer)
            }
        }
        #expect(buffer.last == UInt8(ascii: "\n"))
    }
}
