import Glibc
import Testing

extension TransportTests {
    /// What an operator is told of the store.
    @Suite struct StoreReportTests {
        private func welcome(_ name: String, at port: UInt16) throws {
            let peer = try Peer(port: port)
            try peer.send("name \(name)\n")
            var seen = ""
            while !seen.contains("welcome ") { seen += text(try peer.read()) }
        }

        @Test func `the log says at the start which data were opened, and what is in them`() throws {
            let place = Place()
            let first = try place.server("--data", place.data)
            try self.welcome("ann", at: try first.port())
            let path = try Child(shell: "cd '\(place.data)' && pwd -P").line()
            let opened = first.errors.lines(holding: " event=store ")
            #expect(
                opened.count == 1 && opened[0].hasSuffix(" path=\(path) players=0 results=0 new=yes"),
                "\(opened)")
            first.signal(SIGKILL)
            #expect(first.exitCode() == 128 + SIGKILL)
            let second = try Child(shell: "cd '\(place.path)' && exec \"$0\" --port=0 --data data")
            _ = try second.port()
            let again = second.errors.lines(holding: " event=store ")
            #expect(
                again.count == 1 && again[0].hasSuffix(" path=\(path) players=1 results=0 new=no"), "\(again)"
            )
            let none = try Child(["--port=0"])
            _ = try none.port()
            #expect(none.errors.lines(holding: " event=store ").first?.hasSuffix(" memory=yes") == true)
        }

        /// Goal: that nothing can be kept is seen without the log. Method: the file is moved away, and back.
        @Test(arguments: [1, 2])
        func `a store that is down is seen in stats and metrics until it is up`(loops: Int) throws {
            let place = Place()
            let server = try place.server(
                "--data", place.data, "--admin", "127.0.0.1:0", "--loops=\(loops)")
            let port = try server.port()
            let line = try #require(server.errors.lines(holding: " event=admin-listening ").first)
            let admin = try #require(line.split(separator: "port=").last.flatMap { UInt16($0) })
            func isSeen(_ word: String, _ value: Int) throws -> Bool {
                let peer = try Peer(port: admin)
                try peer.send("GET /metrics HTTP/1.0\r\n\r\n")
                let metrics = text(try peer.readToEnd())
                return try place.ctl("stats").text.contains(" store=\(word) ")
                    && metrics.contains("\ncatrace_store_up \(value)\n")
            }
            #expect(try isSeen("up", 1))
            unsafe rename(place.data + "/catrace.db", place.data + "/elsewhere")
            let peer = try Peer(port: port)
            try peer.send("name ann\n")
            var seen = ""
            while !seen.contains(" code=unavailable ") { seen += text(try peer.read()) }
            #expect(try eventually { try isSeen("down", 0) })
            unsafe rename(place.data + "/elsewhere", place.data + "/catrace.db")
            #expect(try eventually { try isSeen("up", 1) })
            try self.welcome("bob", at: port)
        }
    }
}
