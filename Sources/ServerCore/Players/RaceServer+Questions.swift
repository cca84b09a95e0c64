import Lobby
import RaceModel
import Records
import WireProtocol

/// What a connection asked of the store.
struct PendingQuestion: Sendable {
    enum Subject: Sendable {
        case players(page: UInt16)
        case leaderboard
        case record(MatchID, page: UInt16)
        case history
    }
    let connection: ConnectionID
    let subject: Subject
}

/// A question of a connection, and its answer once that is there.
struct OpenQuestion: Sendable {
    /// Nil: it was answered at once, but others were asked before.
    let lookUp: LookUpID?
    var answer: ServerMessage?
}

/// Questions that the store answers: in the order in which one connection asked them, whatever the store does first.
extension RaceServer {
    mutating func ask(_ subject: PendingQuestion.Subject, from slot: Int) -> LookUpID {
        let lookUp = self.nextLookUp()
        self.questions[lookUp] = PendingQuestion(connection: self.connections[slot].id, subject: subject)
        self.connections[slot].questions.append(OpenQuestion(lookUp: lookUp, answer: nil))
        self.connections[slot].openLookUps += 1
        return lookUp
    }

    /// Answers what needs no store, behind what was asked before.
    mutating func answer(_ message: ServerMessage, to slot: Int) {
        guard !self.connections[slot].questions.isEmpty else {
            return self.sendAnswer(message, to: self.connections[slot].id)
        }
        self.connections[slot].questions.append(OpenQuestion(lookUp: nil, answer: message))
        self.connections[slot].openLookUps += 1
    }

    private mutating func sendAnswer(_ message: ServerMessage, to id: ConnectionID) {
        if case .error(let reply) = message { self.figures.countRefusal(reply.code) }
        self.send(message, to: id)
    }

    func refusal(_ code: ErrorCode, _ text: String, _ request: ClientMessageNumber) -> ServerMessage {
        .error(ErrorReply(code: code, request: request.rawValue, text: text))
    }

    var noPlayers: ServerMessage {
        self.refusal(
            .unavailable, "players cannot be looked up just now: try again in a few seconds", .listPlayers)
    }

    mutating func take(_ answer: ResultAnswer, toQuestion lookUp: LookUpID) {
        guard let question = self.questions.removeValue(forKey: lookUp) else { return }
        if self.askedRecord == lookUp { self.askedRecord = nil }
        let message =
            switch question.subject {
            case .players: self.noPlayers
            case .leaderboard: self.leaderboard(answer)
            case .record(let match, let page): self.record(answer, of: match, page: page)
            case .history: self.history(answer)
            }
        self.deliver(message, to: lookUp, of: question.connection)
        self.goOnWithRecords()
    }

    /// True: it was an answer to a question.
    mutating func take(_ answer: DirectoryAnswer, toQuestion lookUp: LookUpID) -> Bool {
        guard let question = self.questions.removeValue(forKey: lookUp) else { return false }
        let message: ServerMessage
        if case .completions(let names) = answer, case .players(let page) = question.subject {
            message = self.page(page, of: names)
        } else {
            message = self.noPlayers
        }
        self.deliver(message, to: lookUp, of: question.connection)
        return true
    }

    mutating func deliver(_ message: ServerMessage, to lookUp: LookUpID, of id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing,
            let place = self.connections[slot].questions.firstIndex(where: { $0.lookUp == lookUp })
        else { return }
        self.connections[slot].questions[place].answer = message
        guard place == 0 else { return }
        while let next = self.connections[slot].questions.first?.answer {
            self.connections[slot].questions.removeFirst()
            self.connections[slot].openLookUps -= 1
            self.sendAnswer(next, to: id)
        }
        self.resume(slot)
    }
}
