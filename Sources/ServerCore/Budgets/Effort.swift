import RaceModel

/// What one connection's requests have lately cost the server; those that count, such as moves that are due, cost
/// nothing here. Who is over `Limits.effort` is still served, in turns with others who are, behind everybody else.
struct Effort: Sendable, BitwiseCopyable {
    /// When all of it is forgotten, which is a second from now at the latest; a moment that is past counts as now.
    private var forgotten = Instant.zero

    /// - Parameter work: in bytes of answers that take as long to write.
    mutating func add(_ work: Int, now: Instant) {
        let span = Instant.Span(nanoseconds: Int64(work) * 1_000_000_000 / Int64(Limits.effortForgotten))
        self.forgotten = min(max(self.forgotten, now) + span, now + .seconds(1))
    }

    func isGreat(now: Instant) -> Bool {
        (self.forgotten - now).nanoseconds > Self.most
    }

    private static let most = Int64(Limits.effort) * 1_000_000_000 / Int64(Limits.effortForgotten)
}
