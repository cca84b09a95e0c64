package import RaceModel
package import Records
import WireProtocol

/// What somebody who plays or watches sees: a pure function of the view, the size and the time.
package struct Screen: Sendable {
    package struct Size: Hashable, Sendable {
        package var columns: Int
        package var rows: Int
        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    package var view: RaceView
    /// The latest last.
    package var events: [String]
    /// In place of the match's own state: what the connection is about. Nil: it stands.
    package var linkStatus: String?
    /// The user sends numbers and begins by hand.
    package var isManual: Bool
    package var showsHelp: Bool
    /// Of the race that is over.
    package var report: RaceReport?
    /// How a race of the past is being told again; nil: it is now.
    package var replay: String?

    package init(
        view: RaceView, events: [String] = [], linkStatus: String? = nil, isManual: Bool = false,
        showsHelp: Bool = false, report: RaceReport? = nil, replay: String? = nil
    ) {
        self.view = view
        self.events = events
        self.linkStatus = linkStatus
        self.isManual = isManual
        self.showsHelp = showsHelp
        self.report = report
        self.replay = replay
    }

    /// Exactly `size.rows` rows of at most `size.columns` columns.
    package func render(_ size: Size, now: Instant) -> [ScreenRow] {
        let columns = max(1, size.columns)
        let rows = max(1, size.rows)
        var head = [self.title(columns)]
        let status = self.status(now: now)
        var foot = self.foot(now: now)
        var middle = self.showsHelp ? Self.help : self.track(columns, rows: rows - 3 - foot.count, now: now)
        let extra = rows - head.count - middle.count - foot.count - 1
        if extra > 2 {
            head.append(ScreenRow())
            if !middle.isEmpty { middle.append(ScreenRow()) }
        }
        var all = head + middle
        all.append(status)
        // The last events take the room that is left; where there is none, the keys go first, then the track.
        let room = rows - all.count - foot.count
        if room < 0 {
            foot = Array(foot.prefix(max(0, foot.count + room)))
            while all.count + foot.count > rows { all.remove(at: max(0, all.count - 2)) }
        } else {
            let shown = self.eventRows.suffix(room)
            all += shown
            all += [ScreenRow](repeating: ScreenRow(), count: room - shown.count)
        }
        return (all + foot).map { $0.cut(to: columns) }
    }

    // MARK: Head and foot

    private func title(_ columns: Int) -> ScreenRow {
        var row = ScreenRow("Cat Race", .title)
        let name = self.view.identity.map { DisplayText.harmless($0.alias.text) }
        let nameWidth = name.map { DisplayText.width($0) + 8 } ?? 0
        if let match = self.view.match {
            var what = "  match \(match.match.value), \(match.settings.rule.name) to \(match.settings.finish)"
            if match.settings.draw == .sealed { what += ", sealed draw" }
            let watching = self.replay != nil ? "  (replay)" : match.isSpectating ? "  (watching)" : ""
            // Where not all fits, the name comes first.
            if row.width + DisplayText.width(what + watching) + 2 + nameWidth <= columns {
                row.append(what, .dim)
                row.append(watching, .onTurn)
            }
        }
        if let name {
            row.pad(to: max(row.width + 2, columns - nameWidth))
            row.append("you are ", .dim)
            row.append(name, .own)
        }
        return row
    }

    private func foot(now: Instant) -> [ScreenRow] {
        var rows: [ScreenRow] = []
        if let notice = self.view.notice, notice.due > now || notice.code == .slowDown {
            rows.append(ScreenRow(DisplayText.harmless(notice.text), .warning))
        }
        if let error = self.view.lastError {
            rows.append(ScreenRow(DisplayText.harmless(error.text), .warning))
        }
        rows.append(ScreenRow(self.keys, .dim))
        return rows
    }

    private var keys: String {
        if let replay { return "space pause  + faster  - slower  q quit  (\(replay))" }
        guard let match = self.view.match else {
            return self.view.queued == nil
                ? "p play  q quit  ? help" : "l leave the queue  w why  q quit  ? help"
        }
        if match.isSpectating { return "w why  q quit  ? help" }
        switch match.state {
        case .waitingForMatch: return "l leave  w why  q quit  ? help"
        case .waitingForRandomNumber:
            return (self.isManual ? "n number  " : "") + "l leave  w why  q quit  ? help"
        case .waitingForStart: return (self.isManual ? "b begin  " : "") + "l leave  w why  q quit  ? help"
        case .active: return "space move  l leave  w why  q quit  ? help"
        case .done: return "r rematch  p play again  l leave  q quit  ? help"
        }
    }

    private var eventRows: [ScreenRow] {
        var rows = self.events.map { ScreenRow("  " + DisplayText.harmless($0), .dim) }
        if let report {
            rows.append(
                ScreenRow("  " + DisplayText.harmless(report.summary), report.hasFailed ? .warning : .good))
        }
        return rows
    }

    private static let help = [
        "space  move: roll the die, or in a dash run a step",
        "n      send your number for the draw",
        "b      begin the race, as player 1",
        "r      ask for a rematch",
        "p      look for another race",
        "w      whom do we wait for, and what then?",
        "l      leave the match, or the queue",
        "q      quit",
        "?      this help, and back",
    ].map { ScreenRow($0) }
}
