import Lobby
import RaceModel
import Records
import SQLiteStore
import Store
import Testing

/// A store with its keeper, and a clock that a test sets.
final class KeeperScript {
    let directory = TemporaryDirectory()
    private(set) var store: StoreFile
    private(set) var keeper: StoreKeeper
    var moment = StoreMoment(now: .zero, wall: 1_000_000)
    private var lastID: UInt64 = 0

    init() throws {
        let store = try StoreFile(self.directory.data)
        self.store = store
        self.keeper = StoreKeeper(store)
    }

    /// Another process, as it were: nothing is closed in order.
    func restart() throws {
        let other = TemporaryDirectory()
        // Lets go of the lock without touching the file.
        let idle = try StoreFile(other.data)
        self.store = idle
        self.keeper = StoreKeeper(idle)
        let store = try StoreFile(self.directory.data)
        self.store = store
        self.keeper = StoreKeeper(store)
    }

    func pass(seconds: Int) {
        self.moment.now = self.moment.now + .seconds(seconds)
        self.moment.wall += Int64(seconds)
    }

    /// All answers, in the order in which they were given.
    func ask(_ subjects: StoreRequest.Subject...) -> [StoreAnswer.Subject] {
        var answers: [StoreAnswer.Subject] = []
        let requests = subjects.map { subject in
            self.lastID += 1
            return StoreRequest(LookUpID(self.lastID), subject)
        }
        self.keeper.serve(requests, at: self.moment) { answers += $0.map(\.subject) }
        return answers
    }

    func claim(_ text: String) throws -> StoreAnswer.Subject? {
        let digest = Bytes32(words: (1, 2, 3, UInt64(text.utf8.count)))
        return self.ask(.directory(.claim(try Alias(validating: text), keyDigest: digest))).first
    }

    func find(_ text: String) throws -> StoreAnswer.Subject? {
        self.ask(.directory(.findByAlias(try Alias(validating: text)))).first
    }

    func keep(_ record: MatchRecord) -> StoreAnswer.Subject? { self.ask(.results(.keep(record))).first }

    /// A second later.
    func retry() -> [StoreAnswer.Subject] {
        self.pass(seconds: 1)
        return self.keeper.retry(at: self.moment).map(\.subject)
    }

    func takeNotes() -> [StoreNote] {
        defer { self.keeper.notes = [] }
        return self.keeper.notes
    }

    func report() throws -> StoreReport { try StoreCheck.run(StoreReader(self.directory.data)) }
}
