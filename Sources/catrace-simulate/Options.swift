import Simulation

/// What the command line asks for.
struct Options {
    var seeds: [UInt64] = (1...10).map { UInt64($0) }
    var races = 1000
    var people: Int?
    var fault: PlantedFault?
    var showsLog = false
    /// Prints nothing but a line `seed digest` each.
    var showsDigestsOnly = false
    var showsHelp = false

    struct Mistake: Error { let text: String }

    static let manual = """
        usage: catrace-simulate [--seed N | --seeds A-B] [--races M] [--people N] [--fault NAME]
                                [--log | --digest]

        Plays a server with many clients over a simulated network, all from a seed, and checks what each is told.

          --seed N      this seed
          --seeds A-B   these seeds (default 1-10)
          --races M     races to be finished for each seed before the faults stop (default 1000)
          --people N    how many people, 9 to 5000 (default: 12 to 24, in each tenth seed 200 to 400)
          --fault NAME  plants a fault in the server: \(PlantedFault.allCases.map(\.rawValue).joined(separator: ", "))
          --log         prints all that happens
          --digest      prints only the digest of each seed's history

        Ends with status 0 when nothing was wrong, 1 when something was, 2 when it was called wrongly.

        """

    static func parse(_ arguments: [String]) throws(Mistake) -> Options {
        var options = Options()
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            switch flag {
            case "--help": options.showsHelp = true
            case "--log": options.showsLog = true
            case "--digest": options.showsDigestsOnly = true
            case "--seed": options.seeds = [try self.number(flag, rest.popFirst())]
            case "--seeds": options.seeds = try self.range(rest.popFirst())
            case "--races":
                let races = try self.number(flag, rest.popFirst())
                guard races >= 1, races <= 10_000_000 else { throw Mistake(text: "--races is 1 to 10000000") }
                options.races = Int(races)
            case "--people":
                let people = try self.number(flag, rest.popFirst())
                guard let people = Int(exactly: people), World.possiblePeople.contains(people) else {
                    throw Mistake(text: "--people is 9 to 5000")
                }
                options.people = people
            case "--fault":
                guard let fault = rest.popFirst().flatMap(PlantedFault.init(rawValue:)) else {
                    throw Mistake(text: "--fault needs one of the names that --help lists")
                }
                options.fault = fault
            default: throw Mistake(text: "there is no \(flag)")
            }
        }
        return options
    }

    private static func number(_ flag: String, _ word: String?) throws(Mistake) -> UInt64 {
        guard let number = word.flatMap({ UInt64($0) }) else { throw Mistake(text: "\(flag) needs a number") }
        return number
    }

    private static func range(_ word: String?) throws(Mistake) -> [UInt64] {
        let ends = (word ?? "").split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
            last - first < 1_000_000
        else { throw Mistake(text: "--seeds needs a range such as 1-10") }
        return Array(first...last)
    }
}
