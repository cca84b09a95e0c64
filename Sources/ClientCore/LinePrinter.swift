import RaceModel
package import WireProtocol

/// Writes what the server says as text lines, as a text client of the server would have read them.
package struct LinePrinter: Sendable {
    private var names = RosterNames.none

    package init() {}

    package mutating func append(_ message: ServerMessage, to buffer: inout [UInt8]) {
        switch message {
        case .matchFound(let found):
            self.names = RosterNames(aliases: found.seats.map(\.alias), finish: found.settings.finish)
        case .snapshot(let snapshot):
            let order = snapshot.runners.compactMap { runner in runner.number.map { (runner.seat, $0) } }
                .sorted { $0.1 < $1.1 }.map(\.0)
            self.names = RosterNames(
                aliases: snapshot.runners.map(\.alias),
                order: order.count == snapshot.runners.count ? order : [],
                finish: snapshot.settings.finish)
        default: break
        }
        LineEncoder.append(message, names: self.names, to: &buffer)
        if case .playerOrder(let order) = message { self.names.order = order }
    }
}
