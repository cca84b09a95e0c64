import Glibc
import Lobby
import RaceModel
import Records
import SQLiteStore
import Store

/// How long the store takes to answer, one request at a time, as the server's queue asks it.
struct Measure {
    private let directory: String
    private let players: Int
    private let results: Int
    private var generator = SeededGenerator(seed: 2)
    private var keeper: StoreKeeper
    private let moment = StoreMoment(now: .zero, wall: 0)

    /// Opens the file, out of the system's memory as far as it lets go of it, and says how long that took.
    init(_ directory: String, players: Int, results: Int) throws {
        (self.directory, self.players, self.results) = (directory, players, results)
        Self.forget(DataDirectory(directory).database)
        let start = Self.microseconds()
        let store = try StoreFile(DataDirectory(directory))
        _ = try store.read { _ throws(DatabaseError) in try store.firstFreeMatch() }
        let taken = Self.microseconds() - start
        self.keeper = StoreKeeper(store)
        var status = stat()
        unsafe stat(DataDirectory(directory).database, &status)
        print("file \(status.st_size / 1_000_000) MB, opened in \(taken / 1000) ms")
    }

    private static func forget(_ path: String) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
    }

    static func microseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    mutating func run() throws {
        print("request                     cold: p50    p99    max    warm: p50    p99    max   (µs)")
        let pages = UInt16((min(self.players, Limits.leaderboardPlaces) + 19) / 20)
        self.report("aliases of 1 id") { .directory(.aliases([$0.player()])) }
        self.report("aliases of 64 ids") { measure in
            .directory(.aliases((0..<64).map { _ in measure.player() }))
        }
        self.report("find by alias") { .directory(.findByAlias(Fill.alias(Int($0.player().value)))) }
        for letters in 1...3 {
            self.report("who, \(letters) letters") { measure in
                let alias = Fill.alias(Int(measure.player().value))
                let prefix = AliasKey.prefix(of: String(alias.text.prefix(letters)))
                return .directory(.completions(prefix: prefix, limit: 5 * Limits.pageEntries))
            }
        }
        for (name, page) in [("first", UInt16(1)), ("middle", pages / 2), ("last", pages)] {
            self.report("top, \(name) page") { measure in
                .results(.leaderboard(measure.rule(), page: page, asker: measure.player()))
            }
        }
        self.report("player: history, ranks") { .results(.history(Fill.alias(Int($0.player().value)))) }
        self.report("replay: record") { measure in
            .results(.record(MatchID(1 + measure.generator.below(UInt64(measure.results)))))
        }
    }

    private mutating func player() -> PlayerID { PlayerID(1 + self.generator.below(UInt64(self.players))) }
    private mutating func rule() -> RaceSettings.Rule { self.generator.below(2) == 0 ? .turns : .dash }

    /// Cold: the first thousand, of a file that the system was told to forget. Warm: five thousand behind them.
    private mutating func report(_ name: String, _ request: (inout Measure) -> StoreRequest.Subject) {
        Self.forget(DataDirectory(self.directory).database)
        let cold = self.times(1000, request)
        let warm = self.times(5000, request)
        let columns = [cold, warm].map { times in
            [times[times.count / 2], times[times.count * 99 / 100], times[times.count - 1]]
                .map { Self.padded("\($0)", 7) }.joined()
        }
        let label = name + String(repeating: " ", count: max(0, 26 - name.count))
        print("\(label)\(Self.padded("", 6))\(columns[0])\(Self.padded("", 6))\(columns[1])")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// In microseconds, shortest first.
    private mutating func times(
        _ count: Int, _ request: (inout Measure) -> StoreRequest.Subject
    ) -> [Int] {
        (0..<count).map { _ in
            let asked = StoreRequest(LookUpID(1), request(&self))
            let start = Self.microseconds()
            self.keeper.serve([asked], at: self.moment) { answers in
                switch answers.first?.subject {
                case .directory(.unavailable), .results(.unavailable), nil:
                    preconditionFailure("a store that is well answers")
                default: break
                }
            }
            return Self.microseconds() - start
        }.sorted()
    }
}
