import RaceModel

/// Who may come in: by address, before anything is known of a peer but that.
struct Door: Sendable {

    /// Why a connection is not let in, as its peer is told.
    enum Refusal: Hashable, Sendable {
        case banned(String)
        case full(String)
        case tooFast(String)

        /// For the log.
        var name: String {
            switch self {
            case .banned: "banned"
            case .full: "full"
            case .tooFast: "too-fast"
            }
        }
    }

    enum Verdict: Hashable, Sendable {
        /// - isCounted: `leave` is to be called when the connection is gone.
        case welcome(isCounted: Bool)
        /// - isTold: or closed without a word, since this address was told often enough.
        case refused(Refusal, isTold: Bool)
    }

    /// Its bans are those it began with.
    var settings: DoorSettings
    var bans = BanBook()
    private var addresses = AddressBook()
    private var guessed = GuessedNames()
    private var refusals = RefusalLog()
    /// When `forget` is due.
    private(set) var nextDeadline: Instant?

    init(_ settings: DoorSettings) {
        self.settings = settings
        for ban in settings.bans { _ = self.bans.set(ban, now: settings.clockOrigin) }
    }

    var addressCount: Int { self.addresses.count }
    var guessedCount: Int { self.guessed.count }

    /// Nothing is counted of these.
    private func isExempt(_ address: NetworkAddress) -> Bool {
        address.isLoopback && !self.settings.capsLoopback
    }

    mutating func arrive(_ address: NetworkAddress, now: Instant, wall: WallTime) -> Verdict {
        defer { self.noteDeadline() }
        if let ban = self.bans.ban(of: address, now: wall) {
            return self.refuse(.banned(ban.text), address, now: now)
        }
        guard !self.isExempt(address) else { return .welcome(isCounted: false) }
        let (settings, most) = (self.settings, self.settings.connectionsPerAddress)
        let refusal: Refusal? = self.addresses.update(address, now: now) { entry in
            guard entry.connects.take(settings.connects, now: now) else {
                let wait = entry.connects.wait(settings.connects, now: now).roundedUp
                return .tooFast("your address connects too often: wait \(wait) s")
            }
            guard entry.connections < most else {
                return .full(
                    "your address has \(most) connection\(most == 1 ? "" : "s") here, which is all it can have: "
                        + "close one first")
            }
            entry.connections += 1
            return nil
        }
        guard let refusal else { return .welcome(isCounted: true) }
        return self.refuse(refusal, address, now: now)
    }

    private mutating func refuse(_ refusal: Refusal, _ address: NetworkAddress, now: Instant) -> Verdict {
        let isTold = self.addresses.update(address, now: now) {
            $0.refusalsTold.take(Limits.refusalsTold, now: now)
        }
        return .refused(refusal, isTold: isTold)
    }

    mutating func leave(_ address: NetworkAddress, now: Instant) {
        self.addresses.update(address, now: now) { $0.connections -= 1 }
        self.noteDeadline()
    }

    /// - Returns: whether this refusal is to be logged by itself.
    mutating func noteRefusal(_ refusal: Refusal, _ address: NetworkAddress, now: Instant) -> Bool {
        defer { self.noteDeadline() }
        return self.refusals.note(address, refusal.name, now: now)
    }

    // MARK: Names and keys

    /// Takes one of the new names that this address may have.
    /// - Returns: how long it has to wait for the next, in whole seconds; nil when it may have it now.
    mutating func takeNewName(_ address: NetworkAddress, now: Instant) -> Int? {
        guard !self.isExempt(address) else { return nil }
        defer { self.noteDeadline() }
        let budget = self.settings.newNames
        return self.addresses.update(address, now: now) { entry in
            entry.newNames.take(budget, now: now) ? nil : entry.newNames.wait(budget, now: now).roundedUp
        }
    }

    /// It became nobody's.
    mutating func giveBackNewName(_ address: NetworkAddress, now: Instant) {
        guard !self.isExempt(address) else { return }
        let budget = self.settings.newNames
        self.addresses.update(address, now: now) { $0.newNames.giveBack(budget) }
        self.noteDeadline()
    }

    // MARK: Races

    /// How long nobody from this address may look for a race, in whole seconds; nil when they may.
    func raceWait(_ address: NetworkAddress, now: Instant) -> Int? {
        guard !self.isExempt(address) else { return nil }
        let wait = self.addresses[address].races.wait(self.settings.races, now: now)
        return wait.nanoseconds > 0 ? wait.roundedUp : nil
    }

    /// A race began for somebody from this address.
    mutating func noteRace(_ address: NetworkAddress, now: Instant) {
        guard !self.isExempt(address) else { return }
        let budget = self.settings.races
        self.addresses.update(address, now: now) { $0.races.charge(budget, now: now) }
        self.noteDeadline()
    }

    // MARK: Wrong keys

    /// How long no key from this address is looked at, in whole seconds; nil when one is.
    func keyWait(_ address: NetworkAddress, now: Instant) -> Int? {
        let wait = self.addresses[address].keysRefused - now
        return wait.nanoseconds > 0 ? wait.roundedUp : nil
    }

    /// With each wrong key, of this address or for this name, whichever are more, the address waits twice as
    /// long. Who has the right one gets in from any other address, whatever is tried here.
    mutating func noteWrongKey(for name: GuessedName, _ address: NetworkAddress, now: Instant) {
        guard !self.isExempt(address) else { return }
        let ofName = self.guessed.note(name, now: now)
        self.addresses.update(address, now: now) { entry in
            if entry.wrongKeysForgotten <= now { entry.wrongKeys = 0 }
            entry.wrongKeys = min(entry.wrongKeys + 1, WrongKeys.most)
            entry.wrongKeysForgotten = now + Limits.wrongKeyMemory
            // Keys that were on their way together count each, and never make the wait shorter.
            let wait = WrongKeys.wait(max(entry.wrongKeys, ofName))
            entry.keysRefused = max(entry.keysRefused, now + wait)
        }
        self.noteDeadline()
    }

    // MARK: Time

    /// - Returns: refusals that were counted, for the log.
    mutating func forget(_ now: Instant) -> [RefusalLog.Count] {
        self.addresses.forget(now)
        self.guessed.forget(now)
        let counts = self.refusals.take(now)
        self.noteDeadline()
        return counts
    }

    private mutating func noteDeadline() {
        self.nextDeadline = [
            self.addresses.nextDeadline, self.guessed.nextDeadline, self.refusals.due,
        ].compactMap { $0 }.min()
    }
}

extension Instant.Span {
    /// In whole seconds, so that it is over when they are.
    var roundedUp: Int { Int((self.nanoseconds + 999_999_999) / 1_000_000_000) }
}
