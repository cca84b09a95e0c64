package import EventLoop
package import RaceModel
package import ServerCore
import WireProtocol

/// How the server does, at one moment.
package struct ServerReport: Sendable {
    /// It takes no new races, and ends soon.
    package var isDraining: Bool
    package var loop: SocketLoop.Counters
    package var census: Census
    /// Output that no peer has taken yet, in bytes.
    package var unreadBytes: Int
    /// From the reading of a batch of sockets to the writing of its answers.
    package var batches: Histogram
    package var figures: Figures
    package var population: Population
    /// That could not be written in time.
    package var logLinesLost = 0
    /// Whether the store could be read and written when it was last tried.
    package var isStoreUp = true
    package var process = ProcessFigures.now()

    /// For the log, when the operator asks.
    package var censusLine: LogLine {
        let census = self.census
        let counts = [
            ("connections", census.connections), ("players", census.players), ("matches", census.matches),
            ("tickets", census.tickets), ("invites", census.invites), ("look-ups", census.lookUps),
            ("results", census.results), ("deadlines", census.deadlines), ("addresses", census.addresses),
            ("guessed-names", census.guessedNames), ("unread", self.unreadBytes), ("held", census.heldBytes),
            ("descriptors", self.process.openDescriptors), ("memory", self.process.residentBytes),
        ]
        return LogLine(.info, "census", counts.map { LogLine.Field($0.0, "\($0.1)") })
    }

    package func with(_ process: ProcessFigures) -> ServerReport {
        var report = self
        report.process = process
        return report
    }

    /// For `/metrics`.
    package var metrics: String {
        var text = MetricsText()
        self.addPlayers(&text)
        self.addLoop(&text)
        self.addProcess(&text)
        return text.text
    }

    private func addPlayers(_ text: inout MetricsText) {
        text.add("catrace_players", .gauge, "Players in memory.", Double(self.census.players))
        let matches = MatchState.allCases.flatMap { state in
            RaceSettings.Rule.allCases.map { rule in
                let kind = Population.Kind(state: state, rule: rule)
                return (
                    labels: [("state", state.name), ("rule", rule.name)],
                    value: Double(self.population.matches[kind] ?? 0)
                )
            }
        }
        text.add("catrace_matches", .gauge, "Matches in memory.", matches)
        text.add("catrace_tickets", .gauge, "Players who wait for a match.", Double(self.census.tickets))
        text.add("catrace_invites", .gauge, "Invites without an answer.", Double(self.census.invites))
        text.add(
            "catrace_lookups", .gauge, "Requests the store has not answered.", Double(self.census.lookUps))
        text.add(
            "catrace_store_up", .gauge,
            "1 while players and results can be read and kept; 0: nobody new gets in, and results wait.",
            self.isStoreUp ? 1 : 0)
        text.add(
            "catrace_results_pending", .gauge, "Results of races that the store did not keep in time.",
            Double(self.census.lateResults))
        text.add(
            "catrace_results_underway", .gauge, "Results on their way to the store, those in time included.",
            Double(self.census.results))
        text.add(
            "catrace_queue_wait_seconds", "From the beginning of a search to the match that was made.",
            self.figures.queueWait)
        text.add(
            "catrace_refusals_total", .counter, "Errors sent, by their code.",
            ErrorCode.allCases.map { ([("code", $0.name)], Double(self.figures.refusals($0))) })
        text.add(
            "catrace_turned_away_total", .counter, "Connections not let in, by reason.",
            self.figures.turnedAway.sorted { $0.key < $1.key }
                .map { ([("reason", $0.key)], Double($0.value)) })
        text.add(
            "catrace_draining", .gauge, "1 while the server takes no new races.", self.isDraining ? 1 : 0)
    }

    private func addLoop(_ text: inout MetricsText) {
        let loop = self.loop
        text.add(
            "catrace_connections", .gauge, "Connections now, by what they speak.",
            self.population.connections.sorted { $0.key < $1.key }
                .map { ([("dialect", $0.key)], Double($0.value)) })
        text.add("catrace_connections_accepted_total", .counter, "Connections taken.", Double(loop.accepted))
        text.add("catrace_connections_closed_total", .counter, "Connections ended.", Double(loop.closed))
        text.add(
            "catrace_slow_readers_total", .counter, "Connections closed since they left too much unread.",
            Double(loop.slowReaders))
        text.add("catrace_batches_total", .counter, "Batches of ready sockets.", Double(loop.batches))
        text.add(
            "catrace_bytes_received_total", .counter, "Bytes read from sockets.", Double(loop.received))
        text.add("catrace_bytes_sent_total", .counter, "Bytes written to sockets.", Double(loop.sent))
        text.add("catrace_reads_total", .counter, "Reads of sockets.", Double(loop.reads))
        text.add("catrace_writes_total", .counter, "Writes to sockets.", Double(loop.writes))
        text.add(
            "catrace_batch_seconds", "From the reading of ready sockets to the writing of the answers.",
            self.batches)
        text.add("catrace_loop_lag_seconds", "How late deadlines were met.", self.figures.lag)
        text.add(
            "catrace_log_lines_lost_total", .counter, "Log lines that could not be written in time.",
            Double(self.logLinesLost))
    }

    private func addProcess(_ text: inout MetricsText) {
        let process = self.process
        text.add(
            "process_resident_memory_bytes", .gauge, "Memory in use, in bytes.", Double(process.residentBytes)
        )
        text.add("process_open_fds", .gauge, "Descriptors in use.", Double(process.openDescriptors))
        text.add("process_max_fds", .gauge, "Descriptors at most.", Double(process.mostDescriptors))
        text.add(
            "process_cpu_seconds_total", .counter, "Processor time, in seconds.", process.processorSeconds)
        text.add("process_start_time_seconds", .gauge, "When it started, since 1970.", process.startedAt)
    }
}
