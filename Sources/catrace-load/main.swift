import Glibc
import LoadHarness

let signals = StopSignals()
do throws(LoadOptions.Mistake) {
    switch try LoadOptions.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help: Output.write(Manual.text, to: STDOUT_FILENO)
    case .version: Output.write(Manual.version, to: STDOUT_FILENO)
    case .run(let run): Session(run).play(until: signals)
    }
} catch {
    Output.fail(error.text + " (see --help)", status: 2)
}
