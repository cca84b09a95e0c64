package import RaceModel

extension WireName {
    /// The case of this name, letters in any case; nil if there is none.
    init?(name: ArraySlice<UInt8>) {
        for value in Self.allCases where name.equalsIgnoringCase(value.name) {
            self = value
            return
        }
        return nil
    }

    /// All names, for error texts: `turns or dash`. More than fit there are only counted.
    static var choices: String {
        Self.allCases.count > 10
            ? "one of \(Self.allCases.count) names" : Self.allCases.map(\.name).joined(separator: " or ")
    }
}

extension RaceSettings.Rule: WireName {
    package var name: String {
        switch self {
        case .turns: "turns"
        case .dash: "dash"
        }
    }
}

extension RaceSettings.Draw: WireName {
    package var name: String {
        switch self {
        case .highest: "highest"
        case .sealed: "sealed"
        }
    }
}

extension Outcome.Reason: WireName {
    package var name: String {
        switch self {
        case .finish: "finish"
        case .forfeit: "forfeit"
        case .idle: "idle"
        case .noMoves: "no-moves"
        case .abandoned: "abandoned"
        }
    }
}

extension ForfeitReason: WireName {
    package var name: String {
        switch self {
        case .left: "left"
        case .missedTurns: "missed-turns"
        case .gone: "gone"
        }
    }
}

extension Runner.Presence: WireName {
    package var name: String {
        switch self {
        case .here: "here"
        case .gone: "gone"
        case .out: "out"
        }
    }
}

extension MatchCancelled.Reason: WireName {
    package var name: String {
        switch self {
        case .left: "left"
        case .gone: "gone"
        }
    }
}
