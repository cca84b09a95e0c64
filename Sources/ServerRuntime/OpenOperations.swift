import ServerCore
import WireProtocol

/// What operators asked of the core, until it answers.
struct OpenOperations {
    typealias Answer = @Sendable (OperatorAnswer) -> Void

    private var open: [UInt64: Answer] = [:]
    private var last: UInt64 = 0

    /// For whom there is no core any more.
    static let ended = OperatorAnswer.refused("the server has ended", code: .unavailable)

    mutating func begin(_ answer: @escaping Answer) -> UInt64 {
        self.last += 1
        self.open[self.last] = answer
        return self.last
    }

    mutating func end(_ number: UInt64, _ answer: OperatorAnswer) {
        self.open.removeValue(forKey: number)?(answer)
    }
}
