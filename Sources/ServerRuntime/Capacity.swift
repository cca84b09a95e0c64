import EventLoop
import RaceModel
package import ServerCore

/// What a server may take in memory when everything is at its limit. Sizes are of this process on 64-bit Linux,
/// in bytes, memory that arrays and tables keep for growing included; a test holds them to measured ones.
package struct Capacity: Hashable, Sendable {
    package var connections: Int
    /// Of the most: aliases remembered, players remembered.
    package var aliases = Limits.cachedAliases
    package var players = Limits.rememberedPlayers

    /// The program, its libraries, stacks and buffers.
    package static let process = 24 << 20
    /// A connection with its player, at rest.
    package static let connection = 1536
    /// What it sent and must wait, once as it came and once more while the array grows.
    package static let heldInput = 2 * (Limits.heldInputBytes + SocketLoop.readBytes)
    /// A race of two.
    package static let race = 4096 + 2 * Limits.loggedEvents
    package static let alias = 320
    package static let player = 640

    /// Without `--connections`, there are as many even if the memory may not do for them; the log warns then.
    package static let fewest = 64

    package init(connections: Int) { self.connections = connections }

    /// All of it, a race for each connection, and as much output unread as is kept. (Arrays that grow keep up to
    /// twice what they hold.)
    package var mostBytes: Int {
        let output = 2 * SocketLoop.Limits(connections: self.connections).mostOutputBytes
        let each = Self.connection + Self.heldInput + Self.race
        return self.fixedBytes + self.connections * each + output
    }

    private var fixedBytes: Int { Self.process + self.aliases * Self.alias + self.players * Self.player }

    /// The most connections so much memory can keep; 0: none.
    package static func connections(within bytes: Int) -> Int {
        var (fits, over) = (0, 1_000_001)
        while over - fits > 1 {
            let middle = (fits + over) / 2
            if Capacity(connections: middle).mostBytes <= bytes { fits = middle } else { over = middle }
        }
        return fits
    }

    /// For the log.
    /// - Parameter memory: what there is of it, if that is known.
    package func line(memory: Int?) -> LogLine {
        var fields = [
            LogLine.Field("connections", "\(self.connections)"),
            LogLine.Field("unread-each", Self.text(Limits.unreadOutputBytes)),
            LogLine.Field(
                "unread-all", Self.text(SocketLoop.Limits(connections: self.connections).mostOutputBytes)),
            LogLine.Field("players-remembered", "\(self.players)"),
            LogLine.Field("aliases-remembered", "\(self.aliases)"),
            LogLine.Field("memory-at-most", Self.text(self.mostBytes)),
        ]
        guard let memory else { return LogLine(.info, "capacity", fields) }
        fields.append(LogLine.Field("memory-there", Self.text(memory)))
        return LogLine(self.mostBytes <= memory ? .info : .warning, "capacity", fields)
    }

    /// `512MiB`, `2.5GiB`: rounded up, so that it is never less than what is meant.
    package static func text(_ bytes: Int) -> String {
        if bytes < 1 << 20 { return "\((bytes + 1023) >> 10)KiB" }
        if bytes < 1 << 30 { return "\((bytes + (1 << 20) - 1) >> 20)MiB" }
        let tenths = (bytes.quotientAndRemainder(dividingBy: 1 << 20).quotient * 10 + 1023) >> 10
        return "\(tenths / 10).\(tenths % 10)GiB"
    }
}
