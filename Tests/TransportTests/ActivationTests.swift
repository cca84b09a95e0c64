import Glibc
import Testing

extension TransportTests {
    /// Sockets that the starter made, as systemd does.
    @Suite struct ActivationTests {
        @Test func `a connect made between two servers is refused by neither`() throws {
            let (descriptor, port) = try listener()
            defer { close(descriptor) }
            for round in 1...3 {
                let early = try Peer(port: port)
                try early.send("ping \(round)\n")
                let server = try Child(
                    shell: "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" --memory --log-level error",
                    inherited: descriptor)
                #expect(server.line() == "listening host=inherited port=\(port)")
                var seen = ""
                while !seen.contains("pong value=\(round)") {
                    let bytes = try early.read()
                    try #require(!bytes.isEmpty)
                    seen += text(bytes)
                }
                try early.send("quit\n")
                _ = try early.readToEnd()
                server.signal(SIGTERM)
                #expect(server.exitCode() == 0)
            }
        }

        @Test func `sockets meant for another process are left alone`() throws {
            let (descriptor, _) = try listener()
            defer { close(descriptor) }
            let server = try Child(
                shell: "LISTEN_FDS=1 LISTEN_PID=1 exec \"$0\" --memory --port 0 --log-level error",
                inherited: descriptor)
            #expect(server.line().hasPrefix("listening host=127.0.0.1 port="))
        }

        @Test func `what is handed over and does not listen is a fault of the unit file`() throws {
            let server = try Child(shell: "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" --memory 3</dev/null")
            #expect(server.exitCode() == 2)
            #expect(
                server.restOfErrors().contains(
                    "descriptor 3, handed over by the starter, is no listening TCP socket"))
        }
    }
}
