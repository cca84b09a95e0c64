import ClientCore
import RaceModel
import Records
import WireProtocol

/// Client programs: bytes in, messages judged, bytes out.
extension World {
    // MARK: Starting and connecting

    /// A new program of a person, not connected yet.
    mutating func startProgram(of number: Int) -> Int {
        let pace = self.chance.milliseconds(self.chance.chance(900) ? 0...1500 : 0...9000)
        var program = Program(person: number, pace: pace)
        let person = self.people[number]
        if person.speaksText {
            program.text = TextClient()
            program.isAuto = self.chance.chance(600)
        } else {
            var strategy = Strategy(generator: self.chance.fork())
            strategy.pace = pace
            program.binary = RaceClient(
                RaceClient.Configuration(name: person.alias, key: person.key), strategy: strategy)
        }
        self.programs.append(program)
        self.people[number].program = self.programs.count - 1
        return self.programs.count - 1
    }

    mutating func connect(_ index: Int) {
        let id = self.open(program: index)
        let person = self.people[self.programs[index].person]
        self.programs[index].link = id
        self.programs[index].answers = Answers()
        self.programs[index].isTainted = false
        self.programs[index].duty = nil
        self.note("connects \(self.name(of: index))")
        if self.programs[index].binary != nil {
            self.programs[index].binary!.configuration.name = person.alias
            self.programs[index].binary!.configuration.key = person.key
            return self.tell(index, .connected)
        }
        self.programs[index].text = TextClient()
        var lines: [UInt8] = []
        if !self.programs[index].isAuto { lines += Array("set auto off\n".utf8) }
        if self.chance.chance(500) { lines += Array("set notes off\n".utf8) }
        self.write(lines, from: id)
        self.sayHello(index)
    }

    /// Says who it is; a text program that returns says what it has seen, or forgets to.
    mutating func sayHello(_ index: Int) {
        let person = self.people[self.programs[index].person]
        let saysSeen = person.key != nil && !self.chance.chance(300)
        self.programs[index].outlook.helloRefusal = nil
        self.programs[index].binary?.configuration.name = person.alias
        self.send(
            .hello(
                Hello(
                    name: person.alias, key: person.key,
                    lastSeen: saysSeen ? self.programs[index].outlook.lastSeen : 0)), from: index)
    }

    mutating func disconnect(_ index: Int, from id: ConnectionID) {
        guard self.programs[index].link == id else { return }
        self.note("hangs up \(self.name(of: index))")
        self.programs[index].link = nil
        self.programs[index].outlook.disconnect()
        self.programs[index].duty = nil
        if self.programs[index].binary != nil { self.tell(index, .disconnected) }
    }

    func name(of index: Int) -> String {
        let link = self.programs[index].link.map { "\($0.slot).\($0.generation)" } ?? "-"
        let alias = self.people[self.programs[index].person].alias
        return "\(alias) (program \(index), connection \(link))"
    }

    // MARK: Sending

    mutating func send(_ message: ClientMessage, from index: Int) {
        guard let id = self.programs[index].link else { return }
        if self.programs[index].binary != nil { return self.tell(index, .wish(.message(message))) }
        self.noteSent(message, index)
        var line: [UInt8] = []
        LineEncoder.append(message, to: &line)
        self.write(line, from: id)
    }

    private mutating func noteSent(_ message: ClientMessage, _ index: Int) {
        self.programs[index].answers.note(sent: message)
        if self.options.log != nil {
            var line: [UInt8] = []
            LineEncoder.append(message, to: &line)
            self.note("\(self.name(of: index)) > \(String(decoding: line.dropLast(), as: UTF8.self))")
        }
    }

    // MARK: Receiving

    mutating func give(_ bytes: ArraySlice<UInt8>, to index: Int, over id: ConnectionID) {
        guard self.programs[index].link == id else { return }
        if self.programs[index].binary != nil {
            self.tell(index, .received(bytes))
        } else {
            self.read(bytes, index)
        }
        self.planDuty(of: index)
    }

    mutating func tell(_ index: Int, _ input: ClientInput) {
        var outbox = ClientOutbox()
        self.programs[index].binary!.handle(input, now: self.now, into: &outbox)
        for event in outbox.events {
            switch event {
            case .message(let message): self.take(message, index)
            case .sent(let message): self.noteSent(message, index)
            case .checked(let report): self.judge(report, index)
            case .missed(let last, let next):
                self.report("event \(next) follows \(last), as the client sees it", index)
            case .fault(let violation): self.report("the server's bytes are no message: \(violation)", index)
            case .versionRefused(let text): self.report("version refused: \(text)", index)
            case .startedAnew: self.report("the server, which never ended, does not know the player", index)
            case .ready, .matchLost: break
            }
        }
        if let id = self.programs[index].link {
            self.write(outbox.bytes, from: id)
            if outbox.closes { self.cut(id, noticedWithin: 0...10) }
        }
        self.planProgram(index)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ index: Int) {
        var input = bytes
        do throws(ProtocolViolation) {
            while let message = try self.programs[index].text!.next(in: &input) {
                self.take(message, index)
                self.observe(message, index)
            }
        } catch {
            self.report("the server's line is no message: \(error)", index)
            if let id = self.programs[index].link { self.cut(id, noticedWithin: 0...10) }
        }
    }

    private mutating func take(_ message: ServerMessage, _ index: Int) {
        if self.options.log != nil {
            var line: [UInt8] = []
            LineEncoder.append(message, names: .none, to: &line)
            self.note("\(self.name(of: index)) < \(String(decoding: line.dropLast(), as: UTF8.self))")
        }
        self.referee.witness = self.name(of: index)
        self.judgeResults(message, index)
        self.referee.judge(message, &self.programs[index].outlook)
        if !self.programs[index].isTainted, let fault = self.programs[index].answers.note(received: message) {
            self.referee.report(fault)
        }
        switch message {
        case .welcome(_, _, let key):
            if let key { self.people[self.programs[index].person].key = key }
            if self.programs[index].outlook.isInDoubt, self.programs[index].text != nil {
                self.send(.why, from: index)
            }
        case .error(let error): self.take(error, index)
        case .bye(let reason, _): self.judge(reason, index)
        case .privateCode(let code, _): self.codes.append(code)
        case .matchFound, .snapshot: self.lapse(index)
        default: break
        }
        self.referee.witness = ""
    }

    private mutating func take(_ error: ErrorReply, _ index: Int) {
        if !self.programs[index].isTainted, !ExpectedErrors.allows(error) {
            self.referee.report("an error it did not cause: \(error.code.name): \(error.text)")
        }
        guard error.request == ClientMessageNumber.hello.rawValue else { return }
        self.programs[index].outlook.helloRefusal = error.code
    }

    private mutating func judge(_ reason: ByeReason, _ index: Int) {
        switch reason {
        case .quit, .takenOver, .shutdown, .halfClosed: break
        case .handshake:
            if self.programs[index].outlook.isNamed {
                self.referee.report("closed as unnamed, and it has a name")
            }
        case .slowReader, .violation, .version, .full, .banned, .slowDown, .kicked:
            if !self.programs[index].isTainted { self.referee.report("closed for \(reason.name)") }
        }
    }

    private mutating func report(_ violation: String, _ index: Int) {
        self.referee.witness = self.name(of: index)
        self.referee.report(violation)
        self.referee.witness = ""
    }

    // MARK: Checks

    /// What `RaceClient` does for binary programs.
    private mutating func observe(_ message: ServerMessage, _ index: Int) {
        switch message {
        case .matchFound(let found): self.programs[index].witness = RaceWitness(found: found)
        case .snapshot(let snapshot): self.programs[index].witness = RaceWitness(snapshot: snapshot)
        case .gameOver(let over):
            guard var witness = self.programs[index].witness else { return }
            self.programs[index].witness = nil
            witness.observe(message)
            self.judge(RaceCheck(witness: witness, over: over).report(), index)
        default: self.programs[index].witness?.observe(message)
        }
    }

    private mutating func judge(_ report: RaceReport, _ index: Int) {
        if report.hasFailed { return self.report(report.summary, index) }
        if case .passed = report.verdict(on: .digest) {
            self.referee.notePassedCheck()
        } else {
            self.referee.noteUncheckedRace()
        }
    }
}
