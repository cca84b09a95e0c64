import Lobby
import RaceModel
import WireProtocol

/// One peer, as the core knows it.
struct Connection: Sendable {
    enum Dialect: Sendable {
        /// Nothing has come yet.
        case unknown
        /// The first byte was binary's; the preface is not complete.
        case preface
        case binary
        case text
    }

    // What every move looks at comes first, as in `Room`.
    let id: ConnectionID
    var player: PlayerIndex?
    var dialect = Dialect.unknown
    /// A close has been asked for: input is ignored, nothing more is sent.
    var isClosing = false
    /// A hello waits for its answer; what comes behind it is held until then, so that answers keep their
    /// order.
    var awaitsHello = false
    /// It has had its share of this turn, or of late more than others; it goes on when it is its turn.
    var waitsForTurn = false
    /// It has answers to read before it gets more.
    var isBackedUp = false
    /// Look-ups and questions not yet answered.
    var openLookUps = 0
    var effort = Effort()
    var lastMessage: Instant
    var frames = FrameDecoder<ClientMessage>()

    let address: NetworkAddress
    var accepted: Instant
    /// The door counts it among those of its address.
    var isCounted = false
    /// What it may still ask for.
    var purses = RequestPurses()
    /// When the first byte of a binary preface came.
    var prefaceBegun: Instant
    /// Nobody can read along: it is over TLS, or within this machine.
    var isSecure: Bool
    var lines: LineDecoder?
    var offers = OfferDecoder()
    /// Text: draw and begin for the player.
    var auto = true
    /// Text: lines for people.
    var notes = true
    var greeted = false
    var held: [UInt8] = []
    var isPaused = false
    /// News of a queue was kept back meanwhile: the latest is told when all is read.
    var missedQueueNews = false
    /// Of the open look-ups the ones whose answers keep their order.
    var questions: [OpenQuestion] = []
    var inputEnded = false
    /// When its entry in the deadline heap is due.
    var scheduled: Instant?

    /// What an unused slot holds: its id is nobody's.
    static let vacant = Connection(
        id: ConnectionID(slot: 0, generation: 0), address: NetworkAddress(high: 0, low: 0), accepted: .zero)
    var isOpen: Bool { self.id.generation != 0 }

    init(id: ConnectionID, address: NetworkAddress, accepted: Instant) {
        self.id = id
        self.address = address
        self.accepted = accepted
        self.isSecure = address.isLoopback
        self.prefaceBegun = accepted
        self.lastMessage = accepted
    }
}
