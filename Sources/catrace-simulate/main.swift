import Glibc
import RaceModel
import Simulation

func hex(_ digest: Bytes32) -> String {
    digest.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

func fail(_ text: String) -> Never {
    let line = Array("catrace-simulate: \(text) (see --help)\n".utf8)
    _ = unsafe line.withUnsafeBytes { bytes in unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    exit(2)
}

var options = Options()
do throws(Options.Mistake) {
    options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
} catch {
    fail(error.text)
}
if options.showsHelp {
    print(Options.manual, terminator: "")
    exit(0)
}

var races = 0
var events = 0
var isWrong = false
let clock = ContinuousClock()
let start = clock.now
for seed in options.seeds {
    let seedStart = clock.now
    var worldOptions = World.Options(
        seed: seed, races: options.races, people: options.people, fault: options.fault)
    if options.showsLog { worldOptions.log = { line in print(line) } }
    var world = World(worldOptions)
    let report = world.play()
    races += report.races
    events += report.events
    if options.showsDigestsOnly {
        print("\(seed) \(hex(report.digest))")
    } else {
        print(
            "seed=\(seed) people=\(report.people) races=\(report.races) matches=\(report.matches)"
                + " checked=\(report.checks) crashes=\(report.crashes)"
                + " inputs=\(report.inputs) events=\(report.events)"
                + " virtual=\(report.virtual.nanoseconds / 1_000_000_000)s took=\(clock.now - seedStart)"
                + " digest=\(hex(report.digest))")
    }
    if !report.violations.isEmpty {
        isWrong = true
        for violation in report.violations { print("WRONG: \(violation)") }
        let fault = options.fault.map { " --fault \($0.rawValue)" } ?? ""
        let people = options.people.map { " --people \($0)" } ?? ""
        print("again: catrace-simulate --seed \(seed) --races \(options.races)\(people)\(fault) --log")
    }
    _ = fflush(nil)
}
if !options.showsDigestsOnly {
    let span = clock.now - start
    let seconds = Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18
    print(
        "races=\(races) events=\(events) seconds=\(Double(Int(seconds * 10)) / 10)"
            + " races-per-second=\(Int(Double(races) / max(seconds, 0.001)))")
}
exit(isWrong ? 1 : 0)
