import Glibc
import Testing

/// Two network namespaces of their own with one wire between them, which can be cut. The machine's network is
/// untouched.
final class Network: Sendable {
    static let isPossible: Bool = {
        guard geteuid() == 0, unsafe access("/usr/sbin/ip", X_OK) == 0 else { return false }
        let name = "catrace-\(getpid())-probe"
        guard Network.ip("netns", "add", name) else { return false }
        return Network.ip("netns", "del", name)
    }()

    /// Where the server is.
    static let serverAddress = "10.77.0.1"

    let serverSide: String
    let clientSide: String

    init(_ name: String) throws {
        self.serverSide = "catrace-\(getpid())-\(name)-s"
        self.clientSide = "catrace-\(getpid())-\(name)-c"
        let (server, client) = (self.serverSide, self.clientSide)
        let commands = [
            ["netns", "add", server], ["netns", "add", client],
            ["-n", server, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", client],
            ["-n", server, "addr", "add", "\(Self.serverAddress)/30", "dev", "wire"],
            ["-n", client, "addr", "add", "10.77.0.2/30", "dev", "wire"],
            ["-n", server, "link", "set", "lo", "up"],
            ["-n", server, "link", "set", "wire", "up"], ["-n", client, "link", "set", "wire", "up"],
        ]
        for command in commands { try #require(Self.ip(command), "ip \(command.joined(separator: " "))") }
    }

    deinit {
        _ = Self.ip("netns", "del", self.serverSide)
        _ = Self.ip("netns", "del", self.clientSide)
    }

    /// What makes a program run at one of the two ends.
    static func prefix(_ side: String) -> [String] { ["/usr/sbin/ip", "netns", "exec", side] }

    /// Nothing passes any more, and nobody is told.
    func cut() throws { try #require(Self.ip("-n", self.serverSide, "link", "set", "wire", "down")) }
    func mend() throws { try #require(Self.ip("-n", self.serverSide, "link", "set", "wire", "up")) }

    private static func ip(_ words: String...) -> Bool { self.ip(words) }

    private static func ip(_ words: [String]) -> Bool {
        guard let program = try? Program(["/usr/sbin/ip"] + words) else { return false }
        return program.waitForEnd() == 0
    }
}
