import RaceModel
import ServerCore
import WireProtocol

extension World {
    /// Everything from the first connection to an empty server.
    package mutating func play() -> SimulationReport {
        self.race()
        if self.referee.violations.isEmpty { self.settle() }
        if self.referee.violations.isEmpty { self.prove() }
        if self.referee.violations.isEmpty { self.dismiss() }
        self.digestOutcomes()
        return SimulationReport(
            seed: self.options.seed, people: self.people.count, races: self.referee.racesFinished,
            matches: self.referee.matchesSeen,
            checks: self.referee.checksPassed, crashes: self.life, inputs: self.inputs, events: self.events,
            virtual: self.now,
            digest: self.history.value, violations: self.referee.violations)
    }

    /// People race under faults until enough races are over.
    private mutating func race() {
        let races = self.options.races
        let end = self.now + .seconds(600 + 60 * races)
        if !self.run(until: end, or: { $0.referee.racesFinished >= races }), self.referee.violations.isEmpty {
            self.referee.report("only \(self.referee.racesFinished) of \(races) races were over in time")
        }
    }

    /// Faults stop: then every match ends, every ticket can be taken back, and every request is answered.
    private mutating func settle() {
        self.note("the faults stop")
        self.weather = .calm
        self.phase = .settling
        for index in self.programs.indices where self.programs[index].isLapsed {
            self.programs[index].isLapsed = false
            self.lapse(index)
        }
        for slot in self.links.indices where self.links[slot] != nil {
            self.links[slot]!.stalledUntil = self.now
        }
        // Programs that nobody looks at any more: of someone who lost their key while they came on two
        // connections.
        for index in self.programs.indices {
            guard let id = self.programs[index].link,
                self.people[self.programs[index].person].program != index
            else { continue }
            self.cut(id, noticedWithin: 0...10)
        }
        // A seat may be held for a while, and a wait of each kind may have to run out.
        let end = self.now + .seconds(1200)
        self.run(until: end) { $0.server.census.matches == 0 && $0.server.census.tickets == 0 }
        // What the store could not keep while there were faults it keeps after a while.
        self.run(until: self.now + .seconds(Self.longestKeepDelay + 10)) { $0.server.census.results == 0 }
        // Whoever broke off starts may look for a race again, and whoever was silent is noticed.
        self.run(until: self.now + .seconds(75))
        self.checkCalm("the faults stopped")
    }

    private mutating func checkCalm(_ when: String) {
        let census = self.server.census
        if census.matches > 0 { self.referee.report("\(census.matches) matches never ended after \(when)") }
        if census.tickets > 0 { self.referee.report("\(census.tickets) tickets were left after \(when)") }
        if census.lookUps > 0 { self.referee.report("\(census.lookUps) look-ups were left after \(when)") }
        if census.results > 0 { self.referee.report("\(census.results) results were left after \(when)") }
        if census.connections != self.people.count {
            self.referee.report("\(census.connections) connections of \(self.people.count) after \(when)")
        }
        for person in self.people {
            guard let index = person.program else { continue }
            let program = self.programs[index]
            self.referee.witness = self.name(of: index)
            if !program.outlook.isNamed { self.referee.report("has no name after \(when)") }
            if program.outlook.isPlaying { self.referee.report("still believes it is in a match") }
            if !program.isTainted, let missing = program.answers.missing {
                self.referee.report("\(missing) was never answered")
            }
            if program.text?.isInsideMessage == true {
                self.referee.report("the server broke off in a message")
            }
            self.referee.witness = ""
        }
    }

    /// People who can race together do: at once when there are all, after the fill time when there could be
    /// more.
    private mutating func prove() {
        self.note("the proof")
        self.phase = .proving
        var parties: [(people: Range<Int>, request: RaceRequest, within: Int)] = [
            (0..<2, RaceRequest(group: 901), 0), (2..<5, RaceRequest(minimum: 2, maximum: 8, group: 902), 10),
            (5..<8, RaceRequest(minimum: 3, maximum: 3, group: 903), 0),
            (8..<9, RaceRequest(minimum: 2, maximum: 2, group: 904, bots: 1), 0),
        ]
        // The rest in fours, as far as they go: in a crowd many races begin at once.
        for (party, first) in stride(from: 9, to: self.people.count - 3, by: 4).enumerated() {
            let request = RaceRequest(minimum: 4, maximum: 4, group: UInt32(1000 + party))
            parties.append((first..<first + 4, request, 0))
        }
        for party in parties {
            for number in party.people {
                guard let index = self.people[number].program else { continue }
                self.send(.findMatch(party.request), from: index)
            }
        }
        // Whoever is to be matched at once is looked at first: later their race may be over.
        let start = self.now
        for within in [0, 10] {
            self.run(until: start + .seconds(within + 1))
            for number in parties.filter({ $0.within == within }).flatMap(\.people) {
                guard let index = self.people[number].program else { continue }
                if !self.programs[index].outlook.isPlaying {
                    self.referee.report(
                        "\(self.name(of: index)) was not matched within \(within + 1) s")
                }
            }
        }
        self.phase = .settling
        self.run(until: self.now + .seconds(1200)) { $0.server.census.matches == 0 }
        self.run(until: self.now + .seconds(10))
        self.checkCalm("the proof")
    }

    /// All go, and the server forgets them.
    private mutating func dismiss() {
        self.note("all go")
        self.phase = .proving
        if self.options.seed % 2 == 0 { self.feed(.stop) }
        for number in self.people.indices {
            guard let index = self.people[number].program, let id = self.programs[index].link else {
                continue
            }
            switch self.chance.below(3) {
            case 0: self.send(.quit, from: index)
            case 1: self.endOutput(of: id)
            default: self.cut(id, noticedWithin: 0...100)
            }
        }
        self.queue.dropPeople()
        self.run(until: self.now + .seconds(26 * 60 * 60))
        let census = self.server.census
        let left =
            census.connections + census.players + census.matches + census.tickets + census.invites
            + census.lookUps + census.results + census.addresses + census.guessedNames
        if left > 0 {
            self.referee.report("all are gone, and the server still has \(census)")
        }
        if self.server.nextDeadline != nil { self.referee.report("all are gone, and the server still waits") }
        let fault = self.season.missing(in: self.store) ?? self.season.fault(in: &self.store)
        if let fault { self.referee.report(fault) }
    }

    private mutating func digestOutcomes() {
        guard let newest = self.referee.newest else { return }
        for number in 1...newest.value {
            guard let outcome = self.referee.outcome(of: MatchID(number)) else { continue }
            self.history.append(number)
            self.history.append(UInt64(outcome.winner) << 8 | UInt64(outcome.reason))
        }
    }
}
