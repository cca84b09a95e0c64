import ClientCore
import RaceModel
import Records

/// One run of a client program, in one dialect; it survives its connections.
struct Program: Sendable {
    let person: Int
    /// One of the two.
    var binary: RaceClient?
    var text: TextClient?
    var link: ConnectionID?
    var outlook = Outlook()
    var answers = Answers()
    /// Kept by text programs; `RaceClient` has its own.
    var witness: RaceWitness?
    /// Text: draws and begins itself.
    var isAuto = true
    /// How long it takes to do its duty.
    var pace: Instant.Span
    /// Sits this match out.
    var isLapsed = false
    /// The duty that is planned or done.
    var duty: Outlook.Duty?
    /// When the program's own deadline is due.
    var due: Instant?
    /// Nonsense was sent over this connection: complaints about it are right.
    var isTainted = false

    init(person: Int, pace: Instant.Span) {
        self.person = person
        self.pace = pace
    }
}
