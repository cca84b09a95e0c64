import RaceModel
import WireProtocol

/// One peer of the server, and what it makes of the bytes it gets.
struct ServerPeer {
    let id: ConnectionID
    var isClosing = false
    var hasEnded = false
    var isPaused = false
    var unread: [UInt8] = []
    /// How often its output is held.
    var holds = 0

    private var first: UInt8?
    /// It has sent telnet's own bytes, and is answered in them.
    private var isTelnet = false
    private var answer = AnswerDecoder()
    private var isAnswered = false
    private var frames = FrameDecoder<ServerMessage>()
    private var lines = ServerLineDecoder()

    init(id: ConnectionID) { self.id = id }

    mutating func noteSent(_ bytes: [UInt8]) {
        self.first = self.first ?? bytes.first
        self.isTelnet = self.isTelnet || bytes.contains(0xFF)
    }

    /// Nil when it is in order.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> ProtocolViolation? {
        var input = bytes
        do throws(ProtocolViolation) {
            guard self.first == Preface.magic[0] else {
                if self.isTelnet { return nil }
                while try self.lines.next(in: &input) != nil {}
                return nil
            }
            if !self.isAnswered { self.isAnswered = try self.answer.next(in: &input) != nil }
            if self.isAnswered { while try self.frames.next(in: &input) != nil {} }
            return nil
        } catch {
            return error
        }
    }
}
