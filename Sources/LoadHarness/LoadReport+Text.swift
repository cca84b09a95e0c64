import RaceModel

extension LoadReport {
    /// Lines for people, each ended by LF.
    package var text: String {
        var lines = [self.planLine, self.modelLine, ""]
        lines.append(self.line("latency of a move", self.figures.latency))
        if self.plan.isOpen { lines.append(self.line("  from its sending", self.figures.fromSending)) }
        lines.append(self.line("start of a race", self.figures.starting))
        lines.append(self.line("connect to welcome", self.figures.naming))
        lines.append("")
        lines.append(
            "moves   \(self.figures.movesDelivered) delivered to all in \(Self.hundredths(self.window)) s, "
                + "\(Int(self.movesPerSecond.rounded()))/s")
        lines.append(
            "races   \(self.figures.racesFinished) finished in that time, "
                + "\(Self.hundredths(self.racesPerSecond))/s; \(self.figures.racesFinishedInAll) in all, "
                + "\(self.figures.racesChecked) of them checked")
        if self.plan.isOpen {
            lines.append(
                "due     \(self.figures.racesDue) races; \(self.figures.racesDelayed) had to wait for free players, "
                    + "\(self.figures.racesNeverBegun) were never begun")
        }
        lines.append(
            "wire    \(Int(self.perSecond(self.figures.messagesSent).rounded())) messages/s sent, "
                + "\(Int(self.perSecond(self.figures.messagesReceived).rounded())) received")
        lines.append(
            "players \(self.figures.named) of \(self.plan.players) were named"
                + (self.figures.strangers > 0 ? "; \(self.figures.strangers) seats were strangers'" : ""))
        if self.figures.movesOvertaken > 0 {
            lines.append(
                "        \(self.figures.movesOvertaken) moves were on their way when another player won")
        }
        if self.figures.racesUnfinished > 0 {
            lines.append("        \(self.figures.racesUnfinished) races were given up at the end, unfinished")
        }
        if self.figures.resultsNotKept > 0 {
            lines.append(
                "results-not-kept \(self.figures.resultsNotKept): so often a player was told that a result was not "
                    + "kept in time, and \(self.figures.resultsKeptLater) times that it is kept now")
        }
        lines += self.dropLines + self.restartLines
        if let line = self.serverLine { lines.append(line) }
        lines.append(self.loadLine)
        lines += self.faultLines
        return lines.joined(separator: "\n") + "\n"
    }

    private var planLine: String {
        let share = Int((self.plan.textShare * 100).rounded())
        return
            "catrace-load: \(self.plan.players) players (\(share) % text) in races of \(self.plan.raceSize), "
            + "rule \(self.plan.settings.rule), finish \(self.plan.settings.finish), on \(self.server)"
    }

    private var dropLines: [String] {
        guard self.plan.dropsPerSecond != nil else { return [] }
        let drops = self.figures.drops
        return [
            self.line("coming back", drops.comingBack),
            "drops   \(drops.cut) connections cut for \(Self.text(self.plan.away)) each; \(drops.returned) players "
                + "came back, \(drops.seatsLost) seats lost",
            "        told what they missed: \(drops.returnedByEvents) by events, \(drops.returnedBySnapshot) by a "
                + "snapshot; of \(drops.endedWhileAway) the race had ended and was closed",
            "        \(drops.movesSentAgain) moves sent again (\(drops.repeatsRefused) repeats refused); "
                + "\(drops.movesAround) moves while someone was away are in no latency",
        ]
            + (drops.racesUnwitnessed > 0
                ? ["        \(drops.racesUnwitnessed) races were not checked: their witness missed a part"]
                : [])
            + (drops.skipped > 0 ? ["        \(drops.skipped) cuts found nobody in a race"] : [])
    }

    private var restartLines: [String] {
        guard self.plan.bearsRestarts else { return [] }
        let restarts = self.figures.restarts
        return [
            self.line("back after", restarts.backAfter),
            "restarts \(restarts.seen) seen: \(restarts.connectionsLost) connections lost, "
                + "\(restarts.connectsRefused) connects refused; \(restarts.returnedToRace) players came back into "
                + "their races, \(restarts.returnedFree) had none",
            "        \(restarts.racesLost) races lost, \(restarts.seatsLost) seats lost, "
                + "\(restarts.neverBack) players never came back",
        ]
    }

    private var serverLine: String? {
        guard let used = self.serverUsed, let share = self.serverProcessorShare else { return nil }
        let move = self.serverMicrosecondsPerMove.map { ", \(Self.hundredths($0)) us a move" } ?? ""
        return "server  \(Int((share * 100).rounded())) % of one processor\(move), "
            + "\(used.residentBytes / 1024) KiB resident"
    }

    private var modelLine: String {
        if let rate = self.plan.movesPerSecond {
            return
                "open model: \(Self.hundredths(rate)) moves/s are due in endless races, in each a move every "
                + "\(Self.text(self.plan.pace)), whatever the server does; latency counts from the planned moment"
        }
        guard let rate = self.plan.racesPerSecond else {
            return "closed model: every player moves as soon as it may, so a slow server is asked for less; "
                + "--rate measures one that is asked for the same whatever it does"
        }
        return "open model: \(Self.hundredths(rate)) races/s are due and a move of each every "
            + "\(Self.text(self.plan.pace)), whatever the server does; latency counts from the planned moment"
    }

    private var loadLine: String {
        var line = "harness \(Int((self.load.processorShare * 100).rounded())) % of one processor"
        if let lag = self.load.lag.quantile(0.99) {
            line += ", its own lag p99 \(Self.text(lag)), max \(Self.text(self.load.lag.maximum))"
        }
        if self.load.isBottleneck {
            let why =
                self.load.isOutOfProcessor
                ? "it used all of a processor" : "its loop came late, or others kept it from a processor"
            line +=
                "\nTHE HARNESS WAS THE BOTTLENECK (\(why)): latencies are in part its own, and the server "
            line += "may do more"
        }
        return line
    }

    private var faultLines: [String] {
        let faults = self.figures.faults
        guard faults.total > 0 else {
            return [self.isClean ? "errors  none" : "errors  none, but no race was finished either"]
        }
        return ["errors  \(faults.total)"]
            + faults.sorted.map { entry in
                let example = entry.example.isEmpty ? "" : " (\(Self.printable(entry.example)))"
                return "  \(entry.count) x \(entry.fault.group.rawValue): \(entry.fault.kind)\(example)"
            }
    }

    private func line(_ name: String, _ histogram: LatencyHistogram) -> String {
        let padded = name + String(repeating: " ", count: max(0, 20 - name.count))
        guard histogram.count > 0 else { return padded + "none" }
        let values = Self.quantiles.compactMap { entry in
            histogram.quantile(entry.share).map { "\(entry.name) \(Self.text($0))" }
        }
        return padded + (values + ["max \(Self.text(histogram.maximum))"]).joined(separator: "  ")
            + "  (\(histogram.count))"
    }

    /// What a server said may hold anything.
    private static func printable(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(200) {
            out.append((" "..."~").contains(scalar) ? scalar : "?")
        }
        return String(out)
    }
}
