import Lobby
import RaceModel
import ServerCore
import Store

/// One server and many clients, with the network, the store and the time between them, from one seed.
///
/// Time is virtual: the next thing planned happens next, at its moment. Nothing depends on a clock of the
/// machine or on
/// the order of a dictionary, so one seed gives one history.
package struct World: Sendable {
    package struct Options: Sendable {
        package var seed: UInt64
        /// Races to be finished before the faults stop.
        package var races: Int
        /// How many people there are; nil: as many as the seed says.
        package var people: Int?
        package var fault: PlantedFault?
        /// Is told, line by line, what happens.
        package var log: (@Sendable (String) -> Void)?

        package init(
            seed: UInt64, races: Int, people: Int? = nil, fault: PlantedFault? = nil,
            log: (@Sendable (String) -> Void)? = nil
        ) {
            self.seed = seed
            self.races = races
            self.people = people.map {
                max(World.possiblePeople.lowerBound, min($0, World.possiblePeople.upperBound))
            }
            self.fault = fault
            self.log = log
        }
    }

    /// What people are up to.
    enum Phase: Sendable {
        /// They do what they like.
        case racing
        /// They finish what they are in, and begin nothing.
        case settling
        /// They do only what they are told.
        case proving
    }

    /// The proof at the end needs nine; more than this tell nothing new.
    package static let possiblePeople = 9...5000

    let options: Options
    var now = Instant.zero
    var queue = EventQueue()
    /// The network's, the store's and the people's choices.
    var chance: SeededGenerator
    var weather: Weather
    var phase = Phase.racing

    // The server and its surroundings.
    var server: ServerUnderTest
    var outbox = Outbox()
    var serverDeadline: Instant?
    /// Of the server, at one moment.
    var turnsInARow = 0
    var store = MemoryStore()
    /// Only looked up, never walked through.
    var answers: [UInt64: Answer] = [:]
    /// How often the server has died.
    var life = 0
    /// The store could not save the races of a server that came to its end.
    var losesRaces = false

    // The network.
    var links: [Link?] = []
    var generations: [UInt32] = []
    var freeSlots: [Int] = []

    // The people.
    var programs: [Program] = []
    var people: [Person] = []
    /// What people like to play.
    var fashions: [RaceRequest] = []
    /// Codes of private races that were told around.
    var codes: [String] = []

    // What is seen.
    var referee = Referee()
    var season = KeptSeason()
    var history = HistoryDigest()
    var inputs = 0
    var events = 0
    /// Nothing can go on.
    var isStuck = false

    package init(_ options: Options) {
        self.options = options
        var chance = SeededGenerator(seed: options.seed)
        self.weather = Weather(using: &chance)
        var configuration = ServerConfiguration()
        configuration.cachedAliases = self.weather.cachedAliases
        configuration.keepsMatches = true
        self.server = ServerUnderTest(
            RaceServer(configuration: configuration, entropy: chance.fork()), fault: options.fault,
            chance: chance.fork())
        self.chance = chance.fork()
        self.populate()
    }

    private mutating func populate() {
        for _ in 0..<self.chance.within(2...4) { self.fashions.append(Self.fashion(using: &self.chance)) }
        // Most worlds are small, so that the same people meet often and each fault hits somebody.
        let isCrowded = self.options.seed % 10 == 0
        let usual = self.chance.within(isCrowded ? 200...400 : 12...24)
        for number in 0..<(self.options.people ?? usual) {
            let quickest = self.chance.within(200...1500)
            self.people.append(
                Person(
                    number: number, speaksText: self.chance.chance(400),
                    attention: quickest...(quickest * self.chance.within(2...4))))
            self.queue.plan(.person(number), at: self.now + self.chance.milliseconds(0...3000))
        }
        if let pause = self.weather.crashes {
            self.queue.plan(.crash, at: self.now + .seconds(self.chance.within(pause)))
        }
        if self.weather.vandals != nil { self.queue.plan(.vandal, at: self.now + .seconds(1)) }
    }

    /// A race as people might ask for it; mostly short ones for few.
    static func fashion(using chance: inout SeededGenerator) -> RaceRequest {
        let most = chance.chance(600) ? 2 : chance.within(2...8)
        let fewest = chance.chance(600) ? most : chance.within(2...most)
        let finishes: [UInt32] = [25, 25, 10, 6, 1]
        return RaceRequest(
            minimum: UInt8(fewest), maximum: UInt8(most),
            settings: RaceSettings(
                rule: chance.chance(700) ? .turns : .dash, draw: chance.chance(500) ? .highest : .sealed,
                finish: chance.pick(finishes)), group: UInt32(chance.below(2)),
            bots: chance.chance(250) ? UInt8(chance.within(1...most - 1)) : 0)
    }

    // MARK: Time

    /// Lets things happen until the time, or until the condition holds.
    /// - Returns: whether it holds.
    @discardableResult
    mutating func run(until end: Instant, or isDone: (Self) -> Bool = { _ in false }) -> Bool {
        while !self.isStuck, self.referee.violations.count < 20 {
            if isDone(self) { return true }
            guard let due = self.queue.nextDue, due <= end, let entry = self.queue.pop() else { break }
            self.now = max(self.now, entry.due)
            self.referee.time = self.now
            self.events += 1
            self.happen(entry)
        }
        self.now = max(self.now, end)
        return isDone(self)
    }

    private mutating func happen(_ entry: EventQueue.Entry) {
        switch entry.happening {
        case .serverDeadline: self.passServerDeadline(planned: entry.due)
        case .arrival(let id): self.arrive(id)
        case .toServer(let id): self.deliverToServer(id)
        case .toClient(let id): self.deliverToClient(id)
        case .loss(let id, let loss): self.tellLoss(id, loss)
        case .hangUp(let id): self.hangUp(id)
        case .answer(let lookUp, let life): self.deliverAnswer(lookUp, life: life)
        case .crash: self.crash()
        case .rebirth(let life): if life == self.life { self.rebirth() }
        case .person(let number): self.wake(number)
        case .program(let number): self.passDeadline(of: number, planned: entry.due)
        case .vandal: self.sendVandal()
        }
    }

    private mutating func arrive(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.links[slot]!.isLossTold else { return }
        self.links[slot]!.isAccepted = true
        self.feed(.accepted(id, address: self.links[slot]!.address))
        guard self.links[slot]?.id == id else { return }
        if self.links[slot]!.toServer.count > 0 || self.links[slot]!.toServer.isEnded {
            self.planToServer(slot)
        }
    }

    /// For the log; costs nothing when there is none.
    func note(_ text: @autoclosure () -> String) {
        guard let log = self.options.log else { return }
        let milliseconds = self.now.nanoseconds / 1_000_000
        log("\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst()) \(text())")
    }
}
