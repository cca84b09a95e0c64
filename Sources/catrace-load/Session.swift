import ClientCore
import Dispatch
import EventLoop
import Glibc
import LoadHarness

/// One run from the command line to the exit status.
struct Session {
    private let run: LoadOptions.Run
    private let server: SocketAddress
    private let limits: ClientLimits
    private let sources: [SocketAddress?]
    /// Opened before the run: one whose result can't be kept is not worth its time.
    private let json: Int32?

    /// Ends the process when this machine can't do what is asked.
    init(_ run: LoadOptions.Run) {
        self.run = run
        do throws(TransportError) {
            let addresses = try SocketAddress.resolve(host: run.server.host, port: run.server.port)
            guard let first = addresses.first else {
                Output.fail("no host '\(run.server.host)' is known: check the name", status: 2)
            }
            self.server = first
        } catch {
            Output.fail(error.connectSentence(host: run.server.host, port: run.server.port), status: 2)
        }
        self.limits = ClientLimits.ofThisProcess()
        do throws(ClientLimits.Shortage) {
            let choice = try self.limits.choose(
                players: run.plan.players, server: self.server, given: run.sources)
            self.sources = choice.sources
            Output.write("catrace-load: \(choice.sentence)\n", to: STDERR_FILENO)
        } catch {
            Output.fail(error.text, status: 2)
        }
        self.json = run.jsonPath.map { path in
            guard let descriptor = Output.open(path) else { Output.fail("can't write '\(path)'", status: 2) }
            return descriptor
        }
    }

    private func security() -> (context: TLSContext, host: String)? {
        guard self.run.isSecure else { return nil }
        do throws(TLSFault) {
            return (try TLSContext.trusting(self.run.authorities), self.run.server.host)
        } catch {
            Output.fail(error.text, status: 2)
        }
    }

    /// The exit status is the run's.
    func play(until signals: StopSignals) -> Never {
        if let needed = self.run.plan.playersNeeded, needed > self.run.plan.players {
            Output.write(
                "catrace-load: at this rate and pace about \(needed) players race at once, and there are "
                    + "\(self.run.plan.players): races will wait for players, which counts as latency\n",
                to: STDERR_FILENO)
        }
        // Unlike any other run's, on a machine that has just started too: the time and the process.
        let moment = UInt64(bitPattern: Int64(time(nil))) % 1_000_000
        let tag = String(moment << 22 | UInt64(UInt32(bitPattern: getpid())) & 0x3F_FFFF, radix: 36)
        let queue = DispatchQueue(label: "catrace-load")
        var liveLine: (@Sendable (String) -> Void)?
        if Output.isTerminal { liveLine = { Output.showLive($0) } }
        do throws(TransportError) {
            let host = try LoadHost(
                plan: self.run.plan, tag: tag, server: self.server, sources: self.sources,
                security: self.security(),
                serverProcess: self.run.serverPID.map { ServerProcess(pid: $0) }, on: queue,
                liveLine: liveLine, done: { self.finish($0, $1, $2, tag) })
            let confined = QueueConfined(host, on: queue)
            confined.enqueue { $0.start() }
            signals.wait()
            confined.enqueue { $0.stop() }
            // Another one: out.
            signals.wait()
            _exit(1)
        } catch {
            Output.fail("can't begin: \(error)", status: 1)
        }
    }

    private func finish(
        _ fleet: LoadFleet, _ load: OwnLoad, _ process: ServerProcess?, _ tag: String
    ) -> Never {
        if Output.isTerminal { Output.showLive("") }
        let report = LoadReport(
            fleet: fleet, load: load, serverUsed: process?.used, server: self.server.description, tag: tag,
            limits: self.limits,
            sources: self.sources.count)
        var isWritten = Output.write(report.text, to: STDOUT_FILENO)
        if let json { isWritten = Output.write(report.json, to: json) && isWritten }
        if !isWritten { Output.fail("the report could not be written", status: 1) }
        exit(report.isClean ? 0 : 1)
    }
}
