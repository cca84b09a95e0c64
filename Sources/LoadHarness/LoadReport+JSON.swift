import RaceModel
import WireProtocol

extension LoadReport {
    /// One object on one line, ended by LF. Times in microseconds where the key says `_us`.
    package var json: String {
        var object = JSONText()
        object.add("program", "catrace-load")
        object.add("ok", self.isClean)
        object.add("server", self.server)
        object.add("run", self.tag)
        object.add("model", self.plan.isOpen ? "open" : "closed")
        object.add("plan", self.planObject)
        object.add("limits", self.limitsObject)
        object.add("window_seconds", self.window)
        object.add("latency", Self.object(self.figures.latency))
        if self.plan.isOpen { object.add("latency_from_sending", Self.object(self.figures.fromSending)) }
        object.add("race_start", Self.object(self.figures.starting))
        object.add("connect_to_welcome", Self.object(self.figures.naming))
        object.add("moves", self.figures.movesDelivered)
        object.add("moves_per_second", self.movesPerSecond)
        object.add("races", self.figures.racesFinished)
        object.add("races_per_second", self.racesPerSecond)
        object.add("races_in_all", self.figures.racesFinishedInAll)
        object.add("moves_in_all", self.figures.movesDeliveredInAll)
        object.add("races_checked", self.figures.racesChecked)
        object.add("races_unfinished", self.figures.racesUnfinished)
        if self.plan.isOpen {
            object.add("races_due", self.figures.racesDue)
            object.add("races_delayed", self.figures.racesDelayed)
            object.add("races_never_begun", self.figures.racesNeverBegun)
        }
        if self.plan.dropsPerSecond != nil { object.add("drops", self.dropsObject) }
        if self.plan.bearsRestarts { object.add("restarts", self.restartsObject) }
        object.add("moves_overtaken", self.figures.movesOvertaken)
        object.add("results_not_kept", self.figures.resultsNotKept)
        object.add("results_kept_later", self.figures.resultsKeptLater)
        object.add("strangers", self.figures.strangers)
        object.add("connects_tried", self.figures.connectsTried)
        object.add("players_named", self.figures.named)
        object.add("messages_sent_per_second", self.perSecond(self.figures.messagesSent))
        object.add("messages_received_per_second", self.perSecond(self.figures.messagesReceived))
        object.add("harness", self.harnessObject)
        if let used = self.serverUsed {
            var process = JSONText()
            process.add("processor_share", self.serverProcessorShare)
            process.add("processor_us_per_move", self.serverMicrosecondsPerMove)
            process.add("resident_bytes", used.residentBytes)
            object.add("server_process", process)
        }
        object.add("errors", self.figures.faults.total)
        object.add(
            "errors_by_kind",
            self.figures.faults.sorted.map { entry in
                var error = JSONText()
                error.add("group", entry.fault.group.rawValue)
                error.add("kind", entry.fault.kind)
                error.add("count", entry.count)
                error.add("example", entry.example)
                return error
            })
        return object.closed + "\n"
    }

    private var planObject: JSONText {
        var object = JSONText()
        object.add("players", self.plan.players)
        object.add("seconds", self.plan.seconds)
        object.add("rate", self.plan.racesPerSecond)
        object.add("move_rate", self.plan.movesPerSecond)
        object.add("drops", self.plan.dropsPerSecond)
        object.add("away_us", Double(self.plan.away.nanoseconds) / 1000)
        object.add("endless", self.plan.isEndless)
        object.add("floor", self.plan.isFloor)
        object.add("pace_us", Double(self.plan.pace.nanoseconds) / 1000)
        object.add("rule", "\(self.plan.settings.rule)")
        object.add("draw", "\(self.plan.settings.draw)")
        object.add("finish", Int(self.plan.settings.finish))
        object.add("race_size", self.plan.raceSize)
        object.add("text_share", self.plan.textShare)
        object.add("ramp_seconds", self.plan.rampSeconds)
        object.add("seed", String(self.plan.seed))
        return object
    }

    private var dropsObject: JSONText {
        let drops = self.figures.drops
        var object = JSONText()
        object.add("cut", drops.cut)
        object.add("skipped", drops.skipped)
        object.add("returned", drops.returned)
        object.add("returned_by_events", drops.returnedByEvents)
        object.add("returned_by_snapshot", drops.returnedBySnapshot)
        var states = JSONText()
        for state in MatchState.allCases { states.add(state.name, drops.returnsByState[Int(state.rawValue)]) }
        object.add("returned_into", states)
        object.add("ended_while_away", drops.endedWhileAway)
        object.add("seats_lost", drops.seatsLost)
        object.add("moves_sent_again", drops.movesSentAgain)
        object.add("repeats_refused", drops.repeatsRefused)
        object.add("moves_around", drops.movesAround)
        object.add("races_unwitnessed", drops.racesUnwitnessed)
        object.add("coming_back", Self.object(drops.comingBack))
        return object
    }

    private var restartsObject: JSONText {
        let restarts = self.figures.restarts
        var object = JSONText()
        object.add("seen", restarts.seen)
        object.add("connections_lost", restarts.connectionsLost)
        object.add("connects_refused", restarts.connectsRefused)
        object.add("returned_to_race", restarts.returnedToRace)
        object.add("returned_free", restarts.returnedFree)
        object.add("seats_lost", restarts.seatsLost)
        object.add("races_lost", restarts.racesLost)
        object.add("never_back", restarts.neverBack)
        object.add("back_after", Self.object(restarts.backAfter))
        return object
    }

    private var limitsObject: JSONText {
        var object = JSONText()
        object.add("descriptors", self.limits.descriptors)
        object.add("ports_per_source", self.limits.portsPerSource)
        object.add("sources", self.sources)
        return object
    }

    private var harnessObject: JSONText {
        var object = JSONText()
        object.add("processor_share", self.load.processorShare)
        object.add("lag", Self.object(self.load.lag))
        object.add("bottleneck", self.load.isBottleneck)
        return object
    }

    private static func object(_ histogram: LatencyHistogram) -> JSONText {
        var object = JSONText()
        object.add("count", Int(clamping: histogram.count))
        for entry in Self.quantiles {
            object.add(entry.key, histogram.quantile(entry.share).map { Double($0.nanoseconds) / 1000 })
        }
        object.add("max_us", histogram.count > 0 ? Double(histogram.maximum.nanoseconds) / 1000 : nil)
        object.add("mean_us", histogram.mean.map { Double($0.nanoseconds) / 1000 })
        return object
    }
}
