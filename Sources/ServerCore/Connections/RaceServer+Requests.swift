import Lobby
import MatchRules
import RaceModel
import WireProtocol

/// Who asks, and by which message: what an answer or a refusal goes back to.
struct Requester: Sendable {
    let connection: ConnectionID
    let player: PlayerIndex
    let request: UInt8
}

/// Each message to the part of the server that answers it.
extension RaceServer {
    mutating func handle(_ message: ClientMessage, from slot: Int) {
        let id = self.connections[slot].id
        let request = message.number.rawValue
        if let player = self.connections[slot].player { self.players[player].lastMessage = self.now }
        if let kind = Self.kind(of: message), !self.charge(kind, slot, request: request) { return }
        if self.isDraining, self.beginsRaces(message) {
            return self.refuse(
                .draining, "the server restarts soon: no new races until then, try again in a minute",
                request: request, to: id)
        }
        switch message {
        case .hello(let hello): return self.hello(hello, from: slot)
        case .lookUpAliases(let ids): return self.lookUpAliases(ids, from: slot)
        case .listPlayers(let prefix, let page): return self.listPlayers(prefix, page: page, to: slot)
        case .listMatches(let page): return self.listMatches(page: page, to: id)
        case .leaderboard(let rule, let page): return self.tellLeaderboard(rule, page: page, to: slot)
        case .replay(let match, let page): return self.tellRecord(of: match, page: page, to: slot)
        case .lookUpPlayer(let alias): return self.tellHistory(of: alias, to: slot)
        case .why: return self.explainWait(to: slot)
        case .ping(let token): return self.send(.pong(token), to: id)
        case .quit: return self.quit(slot)
        case .randomNumber, .gameBegin, .move, .findMatch, .cancelFind, .leave, .rematch, .watch, .unwatch,
            .invite, .answerInvite, .cancelInvite, .hostPrivate, .joinPrivate:
            break
        }
        guard let player = self.connections[slot].player else {
            return self.refuse(
                .notNamed, "say who you are first: name ann (any free alias)", request: request, to: id)
        }
        self.handle(message, of: Requester(connection: id, player: player, request: request))
    }

    private mutating func handle(_ message: ClientMessage, of who: Requester) {
        switch message {
        case .randomNumber(let round, let number): self.takeNumber(number, round: round, of: who)
        case .gameBegin: self.play(.began(self.players[who.player].seat), of: who)
        case .move(let turn): self.play(.moved(self.players[who.player].seat, turn: turn), of: who)
        case .leave: self.leave(who)
        case .rematch:
            guard self.mayBeginRace(who) else { return }
            self.play(.offeredRematch(self.players[who.player].seat), of: who)
        case .findMatch(let request): self.findMatch(request, of: who)
        case .cancelFind: self.cancelFind(who)
        case .watch(let match): self.watch(match, who)
        case .unwatch: self.unwatch(who)
        case .invite(let alias, let request): self.invite(alias, request, of: who)
        case .answerInvite(let invite, let accept): self.answerInvite(invite, accept: accept, of: who)
        case .cancelInvite(let invite): self.cancelInvite(invite, of: who)
        case .hostPrivate(let request): self.hostPrivate(request, of: who)
        case .joinPrivate(let code): self.joinPrivate(code, of: who)
        case .hello, .lookUpAliases, .listPlayers, .listMatches, .leaderboard, .replay, .why, .ping, .quit,
            .lookUpPlayer:
            preconditionFailure("answered without a player")
        }
    }

    mutating func handle(_ command: TextCommand, from slot: Int) {
        let id = self.connections[slot].id
        guard self.charge(.talk, slot, request: nil) else { return }
        switch command {
        case .help(let verb): self.sendText(Help.text(about: verb), to: id)
        case .setAuto(let on):
            self.connections[slot].auto = on
            self.sendText("set auto=\(on ? "on" : "off")\n", to: id)
            if on { self.catchUpAuto(slot) }
        case .setNotes(let on):
            self.connections[slot].notes = on
            self.sendText("set notes=\(on ? "on" : "off")\n", to: id)
        case .drawNumber:
            let request = ClientMessageNumber.randomNumber.rawValue
            guard let player = self.connections[slot].player else {
                return self.refuse(
                    .notNamed, "say who you are first: name ann (any free alias)", request: request, to: id)
            }
            self.takeNumber(nil, round: 0, of: Requester(connection: id, player: player, request: request))
        }
    }

    /// An event of the player's own match; refused when there is none, or by the rules.
    mutating func play(_ event: Match.Event, of who: Requester) {
        guard let room = self.players[who.player].room else { return self.refuseOutsideMatch(who) }
        if let refusal = self.run(event, in: room) { self.refuse(refusal, in: room, who) }
    }

    mutating func takeNumber(_ number: UInt32?, round: UInt8, of who: Requester) {
        if let room = self.players[who.player].room {
            let event = Match.Event.drewNumber(self.players[who.player].seat, round: round, number: number)
            if let refusal = self.run(event, in: room) { self.refuse(refusal, in: room, who) }
            return
        }
        // A number that comes before the match is kept with the ticket.
        let id = self.players[who.player].id
        let race = self.privateRaces.race(of: id)
        guard let ticket = self.tickets.ticket(of: id) ?? race?.tickets.first(where: { $0.player == id })
        else {
            return self.refuseOutsideMatch(who)
        }
        guard round <= 1 else {
            return self.refuse(
                .wrongRound, "the first round is round 1", request: who.request, to: who.connection)
        }
        guard let number else {
            return self.note("your number will be drawn when the race is found", to: who.connection)
        }
        guard ticket.earlyNumber == nil else {
            return self.refuse(
                .alreadyDrew, "your number is in: it is shown when all are", request: who.request,
                to: who.connection)
        }
        if !self.tickets.setEarlyNumber(player: id, number: number) {
            _ = self.privateRaces.setEarlyNumber(player: id, number: number)
        }
    }

    mutating func leave(_ who: Requester) {
        guard let room = self.players[who.player].room else { return self.refuseOutsideMatch(who) }
        if let refusal = self.run(.left(self.players[who.player].seat), in: room) {
            self.refuse(refusal, in: room, who)
        }
    }

    /// Leaves whatever there is to leave, and goes.
    mutating func quit(_ slot: Int) {
        let id = self.connections[slot].id
        if let player = self.connections[slot].player, let room = self.players[player].room {
            _ = self.run(.left(self.players[player].seat), in: room)
        }
        self.close(id, .quit, "see you at the next race")
    }

    // MARK: Refusals

    private mutating func refuseOutsideMatch(_ who: Requester) {
        if let watching = self.players[who.player].watching, self.rooms.contains(watching) {
            return self.refuse(
                .readOnly, "you watch this race, you do not run in it: unwatch, then play",
                request: who.request,
                to: who.connection)
        }
        self.refuse(
            .notInMatch, "you are in no match: play finds one", request: who.request, to: who.connection)
    }

    private mutating func refuse(_ refusal: Refusal, in room: RoomIndex, _ who: Requester) {
        let (code, text) = self.explain(refusal, in: room, request: who.request)
        self.refuse(code, text, request: who.request, to: who.connection)
    }

    private func explain(_ refusal: Refusal, in index: RoomIndex, request: UInt8) -> (ErrorCode, String) {
        let room = self.rooms[index]
        switch refusal {
        case .wrongState, .closed, .notAgreed, .alreadyJoined, .alreadyGone, .notGone:
            return (.wrongState, Self.hint(for: room))
        case .notSeated: return (.notInMatch, "you are in no match: play finds one")
        case .alreadyDrew: return (.alreadyDrew, "your number for this round is in: it is shown when all are")
        case .wrongRound: return (.wrongRound, "that round is not open: \(Self.hint(for: room))")
        case .notTied: return (.wrongRound, "only those who tied draw again, and you did not")
        case .notPlayerOne:
            let first = room.lineup.map { room.alias(at: $0.seat(of: PlayerNumber(1))) }
            return (.notPlayerOne, "only player 1 begins: that is \(first?.text ?? "not known yet")")
        case .notYourTurn: return (.notYourTurn, "it is \(Self.onTurn(room))'s turn")
        case .staleTurn:
            guard case .active(let race) = room.match.phase, room.match.settings.rule == .turns else {
                return (.staleTurn, "dash has no turns: move 0, or just move")
            }
            return (.staleTurn, "turn \(race.turn) is open, and it is \(Self.onTurn(room))'s")
        case .outOfRace: return (.outOfRace, "you have forfeited this race: wait for its end, or leave")
        case .alreadyAgreed:
            return (.alreadyAgreed, "you have already asked for a rematch: cancel takes it back")
        }
    }

    private static func onTurn(_ room: Room) -> String {
        guard case .active(let race) = room.match.phase else { return "nobody" }
        return room.alias(at: race.lineup.seat(of: race.onTurn)).text
    }

    private static func hint(for room: Room) -> String {
        switch room.match.phase {
        case .waitingForMatch: "the match is being made: wait for found"
        case .waitingForRandomNumber(let draw): "round \(draw.round) of the draw is open: number sends yours"
        case .waitingForStart: "the race has not begun: player 1 begins it"
        case .active: "the race is on: move, or leave"
        case .done: "the race is over: rematch, play or leave"
        }
    }
}
