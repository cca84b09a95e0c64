import RaceModel
import Simulation
import Testing

struct SeedTests {
    private static func run(
        _ seed: UInt64, races: Int, people: Int? = nil, fault: PlantedFault? = nil
    ) -> SimulationReport {
        var world = World(World.Options(seed: seed, races: races, people: people, fault: fault))
        return world.play()
    }

    private static func hex(_ digest: Bytes32) -> String {
        digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Goal: the order of a dictionary, another for each process, reaches no output. Method: the same seeds
    /// in a second
    /// process; the digest is over every byte that any client received.
    @Test func `every race of ten seeds ends and all agree, and another process tells the same history`()
        throws
    {
        let races = 100
        let other = try SimulationProcess(["--seeds", "1-10", "--races", "\(races)", "--digest"])
        var digests: [String] = []
        var crashes = 0
        for seed: UInt64 in 1...10 {
            let report = Self.run(seed, races: races)
            #expect(
                report.violations == [], "again: catrace-simulate --seed \(seed) --races \(races) --log")
            #expect(report.races >= races && report.checks > races / 2, "seed \(seed)")
            crashes += report.crashes
            // Each tenth world is crowded.
            #expect((seed == 10 ? 200...400 : 12...24).contains(report.people), "seed \(seed)")
            digests.append("\(seed) \(Self.hex(report.digest))")
        }
        let (lines, status) = try other.finish()
        #expect(status == 0)
        #expect(lines == digests)
        #expect(crashes > 0, "some of the servers die and begin anew")
    }

    /// Goal: what only shows among many: full pages, many races at once, long queues. Method: a stormy seed,
    /// with garbage in between, here and in a second process.
    @Test func `three hundred people race at once, and another process tells the same history`() throws {
        let call = ["--seed", "1", "--races", "200", "--people", "300"]
        let other = try SimulationProcess(call + ["--digest"])
        let report = Self.run(1, races: 200, people: 300)
        #expect(
            report.violations == [], "again: catrace-simulate \(call.joined(separator: " ")) --log")
        #expect(report.people == 300 && report.races >= 200 && report.checks > 200)
        let (lines, status) = try other.finish()
        #expect(status == 0)
        #expect(lines == ["1 \(Self.hex(report.digest))"])
    }

    @Test func `short runs of fifty more seeds find nothing`() {
        for seed: UInt64 in 11...60 {
            let violations = Self.run(seed, races: 20).violations
            #expect(violations == [], "again: catrace-simulate --seed \(seed) --races 20 --log")
        }
    }

    /// Goal: the checks can fail. Method: faults between the server and the network; a few seeds must find
    /// each.
    @Test(arguments: PlantedFault.allCases)
    func `a planted fault is found`(fault: PlantedFault) {
        let found = (1...8).first { seed in
            !Self.run(UInt64(seed), races: 60, fault: fault).violations.isEmpty
        }
        #expect(found != nil, "none of the seeds 1 to 8 finds \(fault.rawValue)")
    }
}
