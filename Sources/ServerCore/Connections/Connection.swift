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

    let id: ConnectionID
    let address: NetworkAddress
    var accepted: Instant
    /// The door counts it among those of its address.
    var isCounted = false
    /// What it may still ask for.
    var purses = RequestPurses()
    var effort = Effort()
    /// When the first byte of a binary preface came.
    var prefaceBegun: Instant
    var dialect = Dialect.unknown
    /// Nobody can read along: it is over TLS, or within this machine.
    var isSecure: Bool
    /// A close has been asked for: input is ignored, nothing more is sent.
    var isClosing = false
    var frames = FrameDecoder<ClientMessage>()
    var lines: LineDecoder?
    var offers = OfferDecoder()
    /// Text: draw and begin for the player.
    var auto = true
    /// Text: lines for people.
    var notes = true
    var greeted = false
    var player: PlayerIndex?
    /// A hello waits for its answer; what comes behind it is held until then, so that answers keep their
    /// order.
    var awaitsHello = false
    var held: [UInt8] = []
    /// It has had its share of this turn, or of late more than others; it goes on when it is its turn.
    var waitsForTurn = false
    var isPaused = false
    /// It has answers to read before it gets more.
    var isBackedUp = false
    /// News of a queue was kept back meanwhile: the latest is told when all is read.
    var missedQueueNews = false
    /// Look-ups and questions not yet answered.
    var openLookUps = 0
    /// Of these the ones whose answers keep their order.
    var questions: [OpenQuestion] = []
    var inputEnded = false
    var lastMessage: Instant
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
