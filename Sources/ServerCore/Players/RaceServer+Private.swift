import Lobby
import RaceModel
import WireProtocol

/// Private races: for those who were told the code.
extension RaceServer {
    mutating func hostPrivate(_ request: RaceRequest, of who: Requester) {
        guard self.mayWaitPrivately(who) else { return }
        do throws(PrivateFault) {
            let race = try self.privateRaces.host(
                self.players[who.player].id, request: request, now: self.now, using: &self.entropy)
            self.leaveFinishedMatch(who.player)
            self.send(
                .privateCode(race.code.description, seconds: self.shown(race.expires - self.now)),
                to: who.player)
            self.note("tell the others: join \(race.code)", to: who.connection)
            self.withdrawInvites(of: who.player, because: .busy)
        } catch {
            self.refuse(error, who)
        }
    }

    mutating func joinPrivate(_ code: String, of who: Requester) {
        guard self.mayWaitPrivately(who) else { return }
        do throws(PrivateFault) {
            let race = try self.privateRaces.join(self.players[who.player].id, code: code, now: self.now)
            self.leaveFinishedMatch(who.player)
            self.withdrawInvites(of: who.player, because: .busy)
            // Whoever makes the race complete does not wait, and nobody is told so.
            self.launchReadyRaces()
            if let waiting = self.privateRaces.race(of: race.host) { self.tellWaiting(waiting) }
        } catch {
            self.refuse(error, who)
        }
    }

    private mutating func mayWaitPrivately(_ who: Requester) -> Bool {
        guard self.mayLookForRace(who) else { return false }
        guard !self.tickets.contains(self.players[who.player].id) else {
            self.refuse(
                .alreadyQueued, "you are in the queue: cancel first", request: who.request, to: who.connection
            )
            return false
        }
        return true
    }

    mutating func tellWaiting(_ race: PrivateRace) {
        for player in race.players {
            if let index = self.playersByID[player] { self.tellWaiting(race, to: index) }
        }
    }

    mutating func tellWaiting(_ race: PrivateRace, to player: PlayerIndex) {
        self.tell(
            Queued(
                waiting: UInt16(clamping: race.tickets.count), minimum: race.request.minimum,
                maximum: race.request.maximum, startsIn: race.starts.map { self.shown($0 - self.now) }),
            to: player)
    }

    /// The host's leaving ends the race for all.
    mutating func leavePrivateRace(_ player: PlayerIndex) {
        guard let event = self.privateRaces.leave(self.players[player].id, now: self.now) else { return }
        self.tell(event, except: self.players[player].id)
    }

    /// - Parameter leaver: who is told otherwise.
    mutating func tell(_ event: PrivateRace.Event, except leaver: PlayerID? = nil) {
        switch event {
        case .started(let group): self.start(group, isPrivate: true)
        case .left(_, let race): self.tellWaiting(race)
        case .closed(let race), .expired(let race):
            for player in race.players where player != leaver {
                if let index = self.playersByID[player] { self.send(.stopped(.host), to: index) }
            }
        }
    }

    private mutating func refuse(_ fault: PrivateFault, _ who: Requester) {
        let code: ErrorCode =
            switch fault {
            case .alreadyThere: .alreadyQueued
            case .noSuchCode: .noSuchCode
            case .impossible: .badSettings
            }
        self.refuse(code, fault.message, request: who.request, to: who.connection)
    }
}
