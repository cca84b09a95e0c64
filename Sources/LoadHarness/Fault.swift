package import WireProtocol

/// One kind of thing that must not happen in a run. Faults are counted by kind and never averaged into a
/// latency.
package struct Fault: Hashable, Sendable, Comparable {
    package enum Group: String, Sendable, CaseIterable {
        /// The connection could not be made; the kind is the errno.
        case connect = "connect failed"
        /// This machine or process has no more to give; says nothing about the server.
        case clientLimit = "client-side limit"
        /// A connection that stood was lost.
        case connection = "connection lost"
        case serverError = "server error"
        case bye = "server said bye"
        case notice = "server notice"
        /// Bytes that are no message, or messages that cannot follow each other.
        case protocolFault = "protocol fault"
        case lostDelivery = "lost delivery"
        /// Players of one race were told different things.
        case disagreement = "players disagree"
        /// The opened nonce does not give what was seen.
        case verification = "verification failed"
        /// The server played for a player, or ended or forgot a race.
        case race = "race disturbed"
        case late = "not done in time"
        /// A player whose connection was cut did not find the seat held.
        case seatLost = "seat lost"
    }

    package var group: Group
    package var kind: String

    package init(_ group: Group, _ kind: String) {
        self.group = group
        self.kind = kind
    }

    package static func error(_ reply: ErrorReply) -> Fault {
        let request = reply.request.flatMap(ClientMessageNumber.init(rawValue:)).map { " in answer to \($0)" }
        return Fault(.serverError, reply.code.name + (request ?? ""))
    }

    package static func < (left: Fault, right: Fault) -> Bool {
        (left.group.rawValue, left.kind) < (right.group.rawValue, right.kind)
    }
}

/// How often each fault came, with an example of the first.
package struct FaultTally: Sendable {
    package struct Entry: Hashable, Sendable {
        package var fault: Fault
        package var count: Int
        /// What was said or seen the first time; may be empty.
        package var example: String
    }

    private var entries: [Fault: Entry] = [:]
    package private(set) var total = 0

    package init() {}

    package mutating func note(_ fault: Fault, _ example: @autoclosure () -> String = "") {
        self.total += 1
        if self.entries[fault] == nil {
            self.entries[fault] = Entry(fault: fault, count: 0, example: example())
        }
        self.entries[fault]?.count += 1
    }

    package func count(of group: Fault.Group) -> Int {
        self.entries.values.filter { $0.fault.group == group }.reduce(0) { $0 + $1.count }
    }

    /// In order of groups and kinds.
    package var sorted: [Entry] { self.entries.values.sorted { $0.fault < $1.fault } }
}
