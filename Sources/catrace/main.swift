import ClientRuntime
import Glibc

StandardStreams.openMissing()
let signals = ProgramSignals()
do throws(ClientCommand.Mistake) {
    let command = try CommandReader.read(
        Array(CommandLine.arguments.dropFirst()), environment: StandardStreams.environment)
    CommandLineSecrets.hide()
    ClientProgram.run(command, signals: signals)
} catch {
    StandardStreams.write("catrace: \(error.text)\n", to: STDERR_FILENO)
    exit(2)
}
