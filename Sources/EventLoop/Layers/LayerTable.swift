import ProxyProtocol
import RaceModel

/// What stands between some of a loop's sockets and its handler: a PROXY header, the question whether the first
/// byte is TLS, TLS. A connection with none of them is `open`, and costs nothing here.
struct LayerTable: ~Copyable {
    /// A connection whose header is not in yet; the handler does not know of it.
    struct HeaderWait {
        var decoder = ProxyHeaderDecoder()
        let peer: SocketAddress
    }

    /// A server's; nil: TLS is not spoken.
    var context: TLSContext?
    /// Those whose headers are believed.
    var proxies: [IPNetwork] = []
    var headers: [Int: HeaderWait] = [:]
    /// By slot, as far as the last that has one.
    var streams: [TLSStream?] = []
    /// Handshakes and headers in order of when they are given up; ids may be stale.
    var waits: [(due: Instant, connection: ConnectionID)] = []
    var waitsStart = 0
    var output = TLSOutput()
    /// Plaintext passes through here.
    var plaintext: [UInt8] = []
    /// A handshake costs more than many moves, so a batch has so many steps of them, and none once they have taken so
    /// long; the rest waits.
    private(set) var stepsLeft = 0
    private var stepTimeLeft = Instant.Span(nanoseconds: 0)

    private static let stepsPerBatch = 8
    private static let stepTimePerBatch = Instant.Span(nanoseconds: 100_000)
    /// As much as one record holds.
    static let plaintextBytes = 16 * 1024

    mutating func allowSteps() {
        self.stepsLeft = Self.stepsPerBatch
        self.stepTimeLeft = Self.stepTimePerBatch
    }

    mutating func allowNoSteps() { self.stepsLeft = 0 }

    mutating func noteStep(taking span: Instant.Span) {
        self.stepTimeLeft = Instant.Span(nanoseconds: self.stepTimeLeft.nanoseconds - span.nanoseconds)
        self.stepsLeft = self.stepTimeLeft.nanoseconds > 0 ? self.stepsLeft - 1 : 0
    }

    func stream(_ slot: Int) -> TLSStream? { slot < self.streams.count ? self.streams[slot] : nil }

    mutating func set(_ stream: TLSStream, _ slot: Int) {
        if self.streams.count <= slot {
            self.streams.append(contentsOf: repeatElement(nil, count: slot + 1 - self.streams.count))
        }
        if self.plaintext.isEmpty { self.plaintext = Array(repeating: 0, count: Self.plaintextBytes) }
        self.streams[slot] = stream
    }

    /// The slot's connection is gone. True: the handler knew of it.
    mutating func release(_ slot: Int) -> Bool {
        if slot < self.streams.count { self.streams[slot] = nil }
        return self.headers.isEmpty || self.headers.removeValue(forKey: slot) == nil
    }
}
