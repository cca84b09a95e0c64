import RaceModel
import WireProtocol

/// One player of the run: what the hot path needs, and no more. The decoders hold memory only while a
/// message is
/// incomplete.
struct LoadPlayer: Sendable {
    enum State: UInt8, Sendable {
        /// Not yet connected.
        case absent
        case connecting
        /// Connected, waiting for the welcome.
        case naming
        case idle
        case queued
        case racing
        /// In a race, with a connection that was cut on purpose.
        case away
        /// On the way back into the seat.
        case returning
        /// Said quit.
        case leaving
        case gone
    }

    var state = State.absent
    var isText = false
    /// The server's half of the preface has come.
    var isPrefaceRead = false
    /// A move was sent that nobody in the race has been told of yet.
    var isMoving = false
    var isMoveLost = false
    /// The open turn is this player's.
    var isOnTurn = false
    /// The race ended while a move of this player was on its way: the server may refuse it.
    var isOvertaken = false
    /// It is this player's turn, and the first move is due when the window begins.
    var awaitsWindow = false
    var seat: UInt8 = 0
    /// 0 until the order is known.
    var number: UInt8 = 0
    var race: Int32 = -1
    /// The last numbered event of the race.
    var sequence: UInt32 = 0
    /// The turn to be answered; in dash, the player's next step, from 1.
    var turn: UInt32 = 0
    /// Raised to make what is planned void.
    var stamp: UInt32 = 0
    var sentAt = Instant.zero
    var plannedAt = Instant.zero
    /// When the connection was asked for; later, when the race in hand was due.
    var dueAt = Instant.zero
    var id = PlayerID(0)
}

/// The parts of a player that only its input needs.
struct LoadInput: Sendable {
    var answer = AnswerDecoder()
    var frames = FrameDecoder<ServerMessage>()
    var lines = ServerLineDecoder()
}
