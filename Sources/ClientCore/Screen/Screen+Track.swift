import RaceModel
import WireProtocol

extension Screen {
    /// Lanes in order of play, the name of each runner above it, and the cat at the finish.
    func track(_ columns: Int, rows: Int, now: Instant) -> [ScreenRow] {
        guard let match = self.view.match, !match.runners.isEmpty else { return [] }
        let runners = match.runners.sorted { left, right in
            (left.number?.value ?? 255, left.seat) < (right.number?.value ?? 255, right.seat)
        }
        let lane = Lane(match: match, columns: columns, now: now)
        let cat = (runners.count - 1) / 2
        if runners.count * 2 <= rows {
            return runners.enumerated().flatMap { index, runner in
                [lane.nameRow(runner), lane.row(runner, cat: index == cat, name: nil)]
            }
        }
        // Too low for names above: they stand in front.
        let names = runners.map { DisplayText.width(lane.label($0)) }.max() ?? 0
        let room = min(names, max(3, columns / 3))
        // Where not all fit, our own is among those that do.
        var shown = Array(runners.prefix(max(0, rows)))
        if let own = match.ownRunner, !shown.isEmpty, !shown.contains(own) { shown[shown.count - 1] = own }
        return shown.enumerated().map { index, runner in
            lane.row(runner, cat: index == min(cat, shown.count - 1), name: room)
        }
    }
}

/// How one match's lanes are laid out.
private struct Lane {
    private static let catText = " =^.^="
    private static let leftColumns = 4

    let match: MatchView
    let columns: Int
    let now: Instant
    private let digits: Int

    init(match: MatchView, columns: Int, now: Instant) {
        self.match = match
        self.columns = columns
        self.now = now
        self.digits = String(match.settings.finish).utf8.count + 1
    }

    /// The name and what is to be known of its owner.
    func label(_ runner: MatchView.Runner) -> String {
        let name = DisplayText.harmless(runner.alias.text)
        switch runner.presence {
        case .here: return runner.wantsRematch ? "\(name) (again!)" : name
        case .gone(let until): return "\(name) (gone, \(Screen.seconds(until: until, self.now)) s)"
        case .out(.left): return "\(name) (left)"
        case .out: return "\(name) (out)"
        }
    }

    func nameRow(_ runner: MatchView.Runner) -> ScreenRow {
        let label = DisplayText.cut(self.label(runner), to: max(1, self.columns - Self.leftColumns))
        let width = DisplayText.width(label)
        let runnerColumn = Self.leftColumns + self.column(of: runner, in: self.trackWidth(name: nil))
        let start = min(max(Self.leftColumns, runnerColumn - width / 2), max(0, self.columns - width))
        var row = ScreenRow()
        row.pad(to: start)
        row.append(label, self.style(runner))
        return row
    }

    /// - Parameter name: how many columns the name in front has; nil when it stands above.
    func row(_ runner: MatchView.Runner, cat: Bool, name: Int?) -> ScreenRow {
        let isOnTurn =
            self.match.state == .active && self.match.onTurn == runner.number && runner.number != nil
        var row = ScreenRow()
        row.append(isOnTurn ? ">" : " ", .onTurn)
        row.append("\(runner.number.map { "\($0.value)" } ?? "-") ", isOnTurn ? .onTurn : .dim)
        if let name {
            row.append(DisplayText.cut(self.label(runner), to: name), self.style(runner))
            row.pad(to: 3 + name)
        }
        row.append("|", .dim)
        let width = self.trackWidth(name: name)
        let column = self.column(of: runner, in: width)
        row.append(String(repeating: "-", count: column), .dim)
        row.append(self.figure(runner), self.style(runner))
        row.append(String(repeating: ".", count: width - 1 - column), .dim)
        row.append("|", .dim)
        let position = String(runner.position)
        row.append(String(repeating: " ", count: max(1, self.digits - position.utf8.count)) + position)
        if cat { row.append(Self.catText, .onTurn) }
        return row
    }

    private func trackWidth(name: Int?) -> Int {
        max(4, self.columns - Self.leftColumns - (name ?? 0) - 1 - self.digits - Self.catText.utf8.count)
    }

    /// 0 at the start; the last column at the finish and only there.
    private func column(of runner: MatchView.Runner, in width: Int) -> Int {
        let finish = max(1, UInt64(self.match.settings.finish))
        let position = UInt64(runner.position)
        guard position < finish else { return width - 1 }
        return min(width - 2, Int(position * UInt64(width - 1) / finish))
    }

    private func figure(_ runner: MatchView.Runner) -> String {
        switch runner.presence {
        case .here: runner.seat == self.match.ownSeat ? "@" : "o"
        case .gone: "?"
        case .out: "x"
        }
    }

    private func style(_ runner: MatchView.Runner) -> ScreenRow.Style {
        switch runner.presence {
        case .gone: return .warning
        case .out: return .dim
        case .here: break
        }
        if self.match.over?.outcome.winner == runner.number, runner.number != nil { return .strong }
        return runner.seat == self.match.ownSeat ? .own : .plain
    }
}
