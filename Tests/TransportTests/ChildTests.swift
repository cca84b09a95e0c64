import Glibc
import Testing

extension TransportTests {
    /// What the tests themselves stand on.
    @Suite struct ChildTests {
        /// Else a connection that its test has closed stays open for as long as another test's program lives.
        @Test func `a program that a test starts has its three streams and nothing of any test`() throws {
            let listening = try listener()
            defer { close(listening.descriptor) }
            let peer = try Peer(port: listening.port)
            let inheritable = fcntl(peer.descriptor, F_DUPFD, 100)
            defer { close(inheritable) }
            for descriptor in [listening.descriptor, peer.descriptor] {
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            }
            let child = try Child(shell: "exec sleep 60")
            let own = try Child(shell: "exec sleep 60", inherited: inheritable)
            for (pid, expected) in [(child.pid, ["0", "1", "2"]), (own.pid, ["0", "1", "2", "3"])] {
                var found: [String] = []
                let isRight = eventually {
                    found = directoryEntries("/proc/\(pid)/fd").sorted()
                    return found == expected
                }
                #expect(isRight, "\(found)")
            }
        }
    }
}
