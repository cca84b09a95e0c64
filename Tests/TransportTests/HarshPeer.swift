import Glibc
import Testing

/// A text player, over TLS or not, who resets the connection when it is let go.
final class HarshPeer {
    private let plain: Peer
    private let secure: TLSPeer?
    private var heard = ""

    init(_ port: UInt16, overTLS: Bool) throws {
        self.secure = overTLS ? try TLSPeer(port: port) : nil
        try self.secure?.shakeHands()
        self.plain = try self.secure?.peer ?? Peer(port: port)
        self.plain.makeAbortive()
    }

    func send(_ text: String) throws {
        if let secure = self.secure { try secure.send(text) } else { try self.plain.send(text) }
    }

    /// Waits for this, and gives all that came up to the end of its line.
    func read(to end: String) throws -> String {
        while true {
            if let found = self.heard.firstRange(of: end),
                let lineEnd = self.heard[found.upperBound...].firstIndex(of: "\n")
            {
                let text = String(self.heard[...lineEnd])
                self.heard = String(self.heard[self.heard.index(after: lineEnd)...])
                return text
            }
            let more = try self.secure?.read() ?? (self.secure == nil ? self.plain.read() : [])
            try #require(!more.isEmpty, "closed before '\(end)': \(self.heard)")
            self.heard += text(more)
        }
    }
}
