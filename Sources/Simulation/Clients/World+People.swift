import RaceModel
import WireProtocol

/// What people do when they look up from their keyboard.
extension World {
    mutating func wake(_ number: Int) {
        self.queue.plan(
            .person(number), at: self.now + self.chance.milliseconds(self.people[number].attention))
        guard let index = self.people[number].program else {
            return self.connect(self.startProgram(of: number))
        }
        guard self.programs[index].link != nil else { return self.comeBack(number, index) }
        guard self.programs[index].outlook.isNamed else { return self.sayHelloAgain(number, index) }
        switch self.phase {
        case .racing:
            if self.misbehave(number, index) { return }
            self.act(index)
        case .settling: self.settle(index)
        case .proving: break
        }
    }

    // MARK: Being someone

    private mutating func comeBack(_ number: Int, _ index: Int) {
        if self.phase == .racing {
            if self.chance.chance(50) {
                // The key is lost, and with it who they were.
                self.people[number].takeNewName()
                return self.connect(self.startProgram(of: number))
            }
            // Another program knows nothing of what was seen.
            if self.chance.chance(200) { return self.connect(self.startProgram(of: number)) }
        }
        self.connect(index)
    }

    private mutating func sayHelloAgain(_ number: Int, _ index: Int) {
        guard let refusal = self.programs[index].outlook.helloRefusal,
            !self.programs[index].answers.awaitsHello
        else { return }
        if refusal == .aliasTaken { self.people[number].takeNewName() }
        self.sayHello(index)
    }

    // MARK: Faults of people

    /// - Returns: whether they did something that they should better not.
    private mutating func misbehave(_ number: Int, _ index: Int) -> Bool {
        guard let id = self.programs[index].link else { return false }
        if self.chance.chance(self.weather.drop) {
            switch self.chance.below(4) {
            case 0:
                self.note("half-closes \(self.name(of: index))")
                self.endOutput(of: id)
            case 1:
                self.note("goes silent \(self.name(of: index))")
                self.cut(id, noticedWithin: 1000...60_000)
            default:
                self.note("resets \(self.name(of: index))")
                self.cut(id, noticedWithin: 0...200)
            }
            return true
        }
        if self.chance.chance(self.weather.takeOver) {
            self.note("comes again \(self.name(of: index))")
            self.connect(self.startProgram(of: number))
            return true
        }
        if self.chance.chance(self.weather.nonsense), self.programs[index].text != nil {
            self.programs[index].isTainted = true
            self.write(Array("mvoe now \u{1b}[2J\nwatch x\n\nplay 99\n".utf8), from: id)
            return true
        }
        return false
    }

    // MARK: What they like

    private mutating func act(_ index: Int) {
        let outlook = self.programs[index].outlook
        if outlook.isInDoubt || self.programs[index].answers.awaitsHello { return }
        if self.chance.chance(60) { return self.ask(index) }
        if let match = outlook.match, match.ownSeat != nil {
            return match.state == .done ? self.actAfterRace(match, index) : self.actInRace(match, index)
        }
        if let invite = outlook.invites.first, self.chance.chance(500) {
            self.programs[index].outlook.invites.removeFirst()
            return self.send(.answerInvite(invite, accept: self.chance.chance(700)), from: index)
        }
        if outlook.isQueued || outlook.code != nil { return self.actInQueue(index) }
        if outlook.isSpectating, !self.chance.chance(100) { return }
        self.begin(index)
    }

    private mutating func begin(_ index: Int) {
        switch self.chance.below(100) {
        case 0..<70: self.send(.findMatch(self.chance.pick(self.fashions)), from: index)
        case 70..<76: self.send(.hostPrivate(self.chance.pick(self.fashions)), from: index)
        case 76..<82:
            if let code = self.codes.last { self.send(.joinPrivate(code: code), from: index) }
        case 82..<92:
            let other = self.people[self.chance.within(0...self.people.count - 1)]
            guard other.number != self.programs[index].person else { return }
            var request = Self.fashion(using: &self.chance)
            request.bots = request.bots > 0 ? 1 : 0
            request.minimum = 2 + request.bots
            request.maximum = request.minimum
            self.send(.invite(alias: other.alias, request), from: index)
        case 92..<97:
            if let match = self.referee.newest { self.send(.watch(match), from: index) }
        default:
            if self.programs[index].outlook.isSpectating { self.send(.unwatch, from: index) }
        }
    }

    private mutating func actInQueue(_ index: Int) {
        switch self.chance.below(100) {
        case 0..<4: self.send(.cancelFind, from: index)
        case 4..<8: self.send(.randomNumber(round: 1, number: UInt32(self.chance.below(10))), from: index)
        default: break
        }
    }

    private mutating func actInRace(_ match: Outlook.MatchView, _ index: Int) {
        // More readily before the race has begun.
        if self.chance.chance(match.state == .active ? 6 : 30) { self.send(.leave, from: index) }
    }

    private mutating func actAfterRace(_ match: Outlook.MatchView, _ index: Int) {
        if match.wantsRematch {
            if self.chance.chance(50) { self.send(.cancelFind, from: index) }
            return
        }
        switch self.chance.below(100) {
        case 0..<50: self.send(.rematch, from: index)
        case 50..<80: self.send(.findMatch(self.chance.pick(self.fashions)), from: index)
        case 80..<90: self.send(.leave, from: index)
        default: self.begin(index)
        }
    }

    private mutating func ask(_ index: Int) {
        switch self.chance.below(8) {
        case 5:
            self.send(.leaderboard(self.chance.chance(500) ? .turns : .dash, page: self.page()), from: index)
        case 6:
            let other = self.people[self.chance.within(0...self.people.count - 1)]
            self.send(.lookUpPlayer(alias: other.alias), from: index)
        case 7:
            guard let newest = self.referee.newest else { return }
            self.send(.replay(MatchID(self.chance.below(newest.value) + 1), page: 1), from: index)
        case 0: self.send(.why, from: index)
        case 1: self.send(.ping(self.chance.next()), from: index)
        case 2:
            self.send(
                .listPlayers(prefix: self.chance.chance(500) ? "" : "p1", page: self.page()), from: index)
        case 3: self.send(.listMatches(page: self.page()), from: index)
        default:
            // Some of them are nobody's.
            let ids = UInt64(max(60, self.people.count * 2))
            let asked = (0..<self.chance.within(1...6)).map { _ in PlayerID(self.chance.below(ids) + 1) }
            self.send(.lookUpAliases(asked), from: index)
        }
    }

    /// Of a list: one of those that may be full, or one behind them.
    private mutating func page() -> UInt16 { UInt16(self.chance.within(1...2 + self.people.count / 50)) }

    // MARK: Coming to an end

    /// Begins nothing, and takes back what is open.
    private mutating func settle(_ index: Int) {
        let outlook = self.programs[index].outlook
        if outlook.isInDoubt { return }
        if outlook.isPlaying {
            if outlook.match?.state == .done { self.send(.leave, from: index) }
        } else if outlook.isQueued || outlook.code != nil {
            self.send(.cancelFind, from: index)
        } else if outlook.isSpectating {
            self.send(.unwatch, from: index)
        }
    }
}
