import MatchRules
import RaceModel

/// The twelve events, without who and what.
enum EventName: Int, CaseIterable, Hashable, Sendable {
    case joined = 0
    case namesKnown, drewNumber, began, moved, left, dropped, returned, graceExpired
    case offeredRematch, withdrewRematch, deadlinePassed
}

extension Match.Event {
    var name: EventName {
        switch self {
        case .joined: .joined
        case .namesKnown: .namesKnown
        case .drewNumber: .drewNumber
        case .began: .began
        case .moved: .moved
        case .left: .left
        case .dropped: .dropped
        case .returned: .returned
        case .graceExpired: .graceExpired
        case .offeredRematch: .offeredRematch
        case .withdrewRematch: .withdrewRematch
        case .deadlinePassed: .deadlinePassed
        }
    }

    /// Whose event it is; nil for the clock's.
    var seat: Seat? {
        switch self {
        case .joined(let seat), .namesKnown(let seat), .drewNumber(let seat, _, _), .began(let seat),
            .moved(let seat, _), .left(let seat), .dropped(let seat), .returned(let seat),
            .graceExpired(let seat), .offeredRematch(let seat), .withdrewRematch(let seat):
            seat
        case .deadlinePassed: nil
        }
    }
}
