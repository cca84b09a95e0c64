import Glibc
import Testing

extension TransportTests {
    /// A server that goes on with what another one has saved, by its log and its file: nobody is connected.
    @Suite struct RestoredRaceTests {
        /// A race of ann's with a computer opponent, saved by a server that was told to end in order.
        private func saveRace(in place: Place) throws {
            let server = try Child([
                "--port=0", "--data", place.data, "--drain-seconds=0", "--turn-seconds=600",
            ])
            let peer = try Peer(port: server.port())
            try peer.send("name ann\nplay bots=1 finish=40\n")
            var seen = ""
            while !seen.contains("begin seconds=") { seen += text(try peer.read()) }
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            let log = server.restOfErrors()
            #expect(log.contains("event=matches-saved count=1 lost=0"), "\(log)")
        }

        private func results(in place: Place) throws -> String {
            let check = try Child(["check", "--data", place.data])
            let text = check.restOfOutput()
            #expect(check.exitCode() == 0, "\(text)")
            return text
        }

        @Test(arguments: [1, 2])
        func `its clocks run from the start, whether anybody comes or not`(loops: Int) throws {
            let place = Place()
            try self.saveRace(in: place)
            let server = try Child([
                "--port=0", "--data", place.data, "--loops=\(loops)", "--grace-seconds=1",
                "--turn-seconds=1", "--start-seconds=1",
            ])
            _ = try server.port()
            let restored = server.errors.lines(holding: "event=matches-restored")
            #expect(restored.count == 1 && restored[0].hasSuffix(" count=1 left-out=0"), "\(restored)")
            // The seat was held for a second, and the race has a result, that is in the file.
            #expect(try eventually { try self.results(in: place).contains(" results=1 ") })
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
        }

        @Test func `a start that fails leaves the race for the next one`() throws {
            let place = Place()
            try self.saveRace(in: place)
            let other = try Child(["--port=0"])
            let taken = try other.port()
            place.write("no socket", to: "file")
            for (arguments, sentence) in [
                (["--port=\(taken)"], "--port: port \(taken) on 127.0.0.1 is taken: "),
                (["--port=\(taken)", "--loops=2"], "--port: port \(taken) on 127.0.0.1 is taken: "),
                (
                    ["--port=0", "--admin=192.0.2.1:0"],
                    "--admin: 192.0.2.1 is not an address of this machine: "
                ),
                (["--port=0", "--control=\(place.path)/file"], "--control: '\(place.path)/file' is there "),
                (["--port=0", "--audit=\(place.path)"], "the audit file '\(place.path)' can't be opened "),
                (["--port=0", "--tls-cert=/none", "--tls-key=/none"], "--tls-cert '/none' "),
            ] {
                let server = try Child(arguments + ["--data", place.data])
                #expect(server.exitCode() != 0, "\(arguments)")
                #expect(server.restOfErrors().contains("catrace-server: \(sentence)"), "\(arguments)")
            }
            // The end before all this was in order, and nobody will be told otherwise.
            #expect(contents(of: place.data + "/lock") == "")
            let server = try Child(["--port=0", "--data", place.data])
            _ = try server.port()
            let restored = server.errors.lines(holding: "event=matches-restored")
            #expect(restored.count == 1 && restored[0].hasSuffix(" count=1 left-out=0"), "\(restored)")
            // A sudden end stays to be told, too.
            server.signal(SIGKILL)
            _ = server.exitCode()
            let failing = try Child(["--port=\(taken)", "--data", place.data])
            #expect(failing.exitCode() == 1)
            #expect(contents(of: place.data + "/lock") == "a server runs\n")
        }
    }
}
