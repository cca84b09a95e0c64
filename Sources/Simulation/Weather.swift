import RaceModel

/// How bad the network, the store and the players are: drawn from the seed, so that some seeds are calm and
/// some wild.
/// Chances are in thousandths.
struct Weather: Sendable {
    /// On the way, in milliseconds.
    var latency = 1...20
    /// A delivery is cut in pieces.
    var split: UInt64 = 0
    /// A delivery to a client, after which the connection is reset.
    var reset: UInt64 = 0
    /// A delivery to a client, after which it reads nothing for some time.
    var stall: UInt64 = 0
    /// What a client may leave unread, in bytes; then the network gives it up as a slow reader.
    var unreadBytes = Limits.unreadOutputBytes
    /// Store answers, in milliseconds: later ones overtake earlier ones.
    var storeDelay = 0...20
    var storeUnavailable: UInt64 = 0
    /// Results that can't be kept at once, and those that never are.
    var keepDelayed: UInt64 = 0
    var keepLost: UInt64 = 0
    /// Seconds from one sudden end of the server to the next; nil for none.
    var crashes: ClosedRange<Int>?
    /// Aliases the server remembers.
    var cachedAliases = Limits.cachedAliases
    /// A person's wake-up in which they drop their connection: by reset, silence or half-close.
    var drop: UInt64 = 0
    /// A person's wake-up in which they come again on a second connection.
    var takeOver: UInt64 = 0
    /// A match that a player sits through without doing anything.
    var lapse: UInt64 = 0
    /// A wake-up in which an honest person types nonsense.
    var nonsense: UInt64 = 0
    /// Seconds between connections that send garbage; nil for none.
    var vandals: ClosedRange<Int>?
    /// How late the server's deadlines come, in milliseconds.
    var lateness = 0...0

    static let calm = Weather()

    init() {}

    /// A third of all seeds are calm.
    init(using generator: inout SeededGenerator) {
        guard !generator.chance(333) else { return }
        func upTo(_ most: UInt64) -> UInt64 { generator.below(most + 1) }
        self.latency = 1...(2 + Int(upTo(400)))
        self.split = upTo(700)
        self.reset = upTo(4)
        self.stall = upTo(12)
        if generator.chance(300) { self.unreadBytes = 1500 }
        self.storeDelay = 0...Int(generator.chance(500) ? upTo(300) : upTo(9000))
        self.storeUnavailable = generator.chance(500) ? upTo(100) : 0
        if generator.chance(500) { self.cachedAliases = 1 + Int(upTo(30)) }
        self.drop = upTo(40)
        self.takeOver = upTo(15)
        self.lapse = upTo(150)
        self.nonsense = upTo(10)
        if generator.chance(700) { self.vandals = 1...(5 + Int(upTo(30))) }
        self.lateness = 0...Int(upTo(40))
        if generator.chance(500) {
            self.keepDelayed = upTo(200)
            self.keepLost = upTo(50)
        }
        if generator.chance(400) { self.crashes = 5...(20 + Int(upTo(120))) }
    }
}
