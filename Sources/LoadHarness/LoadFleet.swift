import ClientCore
package import RaceModel
import Records
import WireProtocol

/// All players of a run as one value: bytes and the time go in, bytes and wishes for connections come out.
/// It opens
/// no sockets and reads no clock, so a run can be played against a server that is a value too.
package struct LoadFleet: Sendable {
    package enum Phase: Sendable, Hashable {
        /// Players connect, and play as soon as they are there.
        case ramp
        /// The window in which everything counts.
        case measuring
        /// No new races; those under way go on.
        case finishing
        /// Everybody said quit.
        case leaving
        case ended
    }

    /// How a connection ended.
    package enum End: Sendable, Hashable {
        case closed
        case reset
        /// The server took no more input.
        case slowReader
        /// It never stood.
        case notConnected(Fault)
    }

    package let plan: LoadPlan
    package internal(set) var phase = Phase.ramp
    package internal(set) var figures = LoadFigures()
    /// Of the window; its end is where it will be until it is over.
    package internal(set) var windowStart: Instant
    package internal(set) var windowEnd: Instant

    // Out: taken and emptied by the caller after each call.
    /// For the server, one after the other, see `sends`.
    package var bytes: [UInt8] = []
    /// Whose bytes they are: each player's end where the next one's begin.
    package var sends: [(player: Int, end: Int)] = []
    package var connects: [Int] = []
    package var closes: [Int] = []

    // Players.
    var players: [LoadPlayer]
    var inputs: [LoadInput]
    var playersByID: [PlayerID: Int32] = [:]
    let aliasPrefix: String
    let group: UInt32
    var generator: SeededGenerator
    /// Whose connections are cut; apart, so that numbers are the same with and without.
    var dropGenerator: SeededGenerator
    /// By player; empty in a run that cuts none.
    var comebacks: [LoadComeback] = []

    // Races.
    var races: [LoadRace] = []
    var freeRaces: [Int32] = []
    var racesByMatch: [MatchID: Int32] = [:]
    /// By race, for those that are checked.
    var witnesses: [RaceWitness?] = []
    var racesFound = 0

    // The schedule.
    var heap = DueHeap()
    /// With a rate: who may be sent into a race.
    var idle: [Int32] = []
    let start: Instant
    var nextConnect = 0
    var connecting = 0
    var unsettled: Int
    var left = 0
    var nextSweep: Instant
    var phaseEnd: Instant?
    /// With a rate: races that were due so far, and those that were begun.
    var racesDue = 0
    var racesLaunched = 0
    /// Cuts that were due so far.
    var cutsDue = 0

    /// The run's tag is part of all aliases, so that runs do not meet: letters and digits, at most 8.
    package init(plan: LoadPlan, tag: String, start: Instant) {
        self.plan = plan
        self.aliasPrefix = "l\(tag)-"
        self.start = start
        self.windowStart = start
        self.windowEnd = start
        self.nextSweep = start + Self.sweepInterval
        var generator = SeededGenerator(seed: plan.seed)
        // Not 0, which is everybody's.
        let drawn = UInt32(1 + generator.below(UInt64(UInt32.max)))
        self.generator = generator
        self.dropGenerator = SeededGenerator(seed: plan.seed ^ Self.dropSalt)
        self.group = plan.group ?? drawn
        self.unsettled = plan.players
        var players = [LoadPlayer](repeating: LoadPlayer(), count: plan.players)
        self.inputs = [LoadInput](repeating: LoadInput(), count: plan.players)
        let texts = Int((plan.textShare * Double(plan.players)).rounded())
        // Spread evenly, so that text and binary players meet.
        for index in 0..<plan.players where (index + 1) * texts / plan.players > index * texts / plan.players
        {
            players[index].isText = true
        }
        self.players = players
        if plan.dropsPerSecond != nil || plan.bearsRestarts {
            self.comebacks = [LoadComeback](repeating: LoadComeback(), count: plan.players)
        }
    }

    /// "drops": another sequence than the players' numbers have.
    private static let dropSalt: UInt64 = 0x64_726F_7073
    static let sweepInterval = Instant.Span.milliseconds(250)

    /// Players the server knows by name and who are not gone.
    package var present: Int { self.figures.named - self.left }
    package var racesUnderWay: Int { self.racesByMatch.count }

    // MARK: What happens to connections

    package mutating func connected(_ player: Int, now: Instant) {
        if self.players[player].state == .returning {
            self.greet(player)
            return self.sayHelloAgain(player)
        }
        guard self.players[player].state == .connecting else { return }
        self.connecting -= 1
        self.players[player].state = .naming
        // The relay says the first word itself.
        if self.plan.isFloor { return self.connectMore(now: now) }
        self.greet(player)
        self.send(.hello(Hello(name: "\(self.aliasPrefix)\(player)")), from: player)
        self.connectMore(now: now)
    }

    private mutating func greet(_ player: Int) {
        if self.players[player].isText {
            self.append(player) { $0.append(contentsOf: "set auto off\nset notes off\n".utf8) }
        } else {
            self.append(player) {
                Preface.append(
                    Preface.Offer(lowest: Preface.version, highest: Preface.version), to: &$0)
            }
        }
    }

    /// The bytes are read before the call returns.
    package mutating func received(_ player: Int, _ bytes: ArraySlice<UInt8>, now: Instant) {
        guard self.players[player].state != .gone, self.players[player].state != .away else { return }
        var input = bytes
        do throws(ProtocolViolation) {
            if self.players[player].isText {
                while let message = try self.inputs[player].lines.next(in: &input) {
                    self.take(message, at: player, now: now)
                }
                return
            }
            if !self.players[player].isPrefaceRead {
                guard let version = try self.inputs[player].answer.next(in: &input) else { return }
                self.players[player].isPrefaceRead = true
                // What the server says about it follows as an error.
                if version != Preface.version {
                    self.note(Fault(.protocolFault, "the server chose version \(version)"))
                }
            }
            while let message = try self.inputs[player].frames.next(in: &input) {
                self.take(message, at: player, now: now)
            }
        } catch {
            self.note(Fault(.protocolFault, error.code.name), error.text)
            self.drop(player, now: now)
        }
    }

    package mutating func ended(_ player: Int, _ end: End, now: Instant) {
        let state = self.players[player].state
        guard state != .gone, state != .absent, state != .away else { return }
        if self.bearLoss(of: player, end, now: now) { return self.advance(now: now) }
        switch end {
        case .notConnected(let fault): self.note(fault)
        case .closed:
            if state != .leaving { self.note(Fault(.connection, "closed by the server")) }
        case .reset: self.note(Fault(.connection, "reset"))
        case .slowReader: self.note(Fault(.connection, "the server stopped reading"))
        }
        self.retire(player, now: now)
        self.connectMore(now: now)
        self.advance(now: now)
    }

    /// Ends a player's connection from our side.
    mutating func drop(_ player: Int, now: Instant) {
        self.closes.append(player)
        self.retire(player, now: now)
    }

    /// The player takes no more part.
    mutating func retire(_ player: Int, now: Instant) {
        let state = self.players[player].state
        guard state != .gone else { return }
        if self.players[player].race >= 0 { self.leaveRace(player) }
        if state == .connecting { self.connecting -= 1 }
        if state == .idle { self.idle.removeAll { $0 == Int32(player) } }
        if state == .connecting || state == .naming || state == .absent {
            self.unsettled -= 1
        } else {
            self.left += 1
        }
        self.players[player].state = .gone
        self.players[player].stamp &+= 1
        self.inputs[player] = LoadInput()
    }

    // MARK: Sending

    mutating func send(_ message: ClientMessage, from player: Int) {
        if self.plan.isFloor, !Self.isForRelay(message) { return }
        let isText = self.players[player].isText
        self.append(player) { buffer in
            if isText {
                LineEncoder.append(message, to: &buffer)
            } else {
                BinaryEncoder.append(message, to: &buffer)
            }
        }
        if self.phase == .measuring { self.figures.messagesSent += 1 }
    }

    private static func isForRelay(_ message: ClientMessage) -> Bool {
        switch message {
        case .move, .findMatch: true
        default: false
        }
    }

    private mutating func append(_ player: Int, _ write: (inout [UInt8]) -> Void) {
        write(&self.bytes)
        if let last = self.sends.indices.last, self.sends[last].player == player {
            self.sends[last].end = self.bytes.count
        } else {
            self.sends.append((player, self.bytes.count))
        }
    }

    mutating func note(_ fault: Fault, _ example: @autoclosure () -> String = "") {
        self.figures.faults.note(fault, example())
    }
}
