import Glibc
import Testing

@testable import ServerRuntime

extension TransportTests {
    /// Settings read again while the real server runs: what is said of it.
    @Suite struct ReloadTests {
        private func end(_ server: Child) -> [String] {
            server.signal(SIGTERM)
            #expect(server.exitCode() == 0)
            return server.restOfErrors().split(separator: "\n").map(String.init)
        }

        @Test func `a signal whose settings are wrong is no ok in the audit`() throws {
            let place = Place()
            place.write("turn-seconds = 30\n")
            let server = try place.server("--config", place.settings)
            _ = try server.port()
            place.write("turn-secnds = 30\n")
            server.signal(SIGHUP)
            #expect(server.errors.lines(holding: " verb=signal subject=SIGHUP ").count == 1)
            place.write("turn-seconds = 31\n")
            server.signal(SIGHUP)
            let acts = server.errors.lines(holding: " verb=signal subject=SIGHUP ", moreThan: 1)
            #expect(acts.map { $0.split(separator: " ").last } == ["outcome=bad-value", "outcome=ok"])
            let log = self.end(server)
            #expect(log.filter { $0.contains(" event=reload-failed ") }.count == 1, "\(log)")
        }

        @Test func `a part that is refused is named in the answer, and that is no ok`() throws {
            let place = Place()
            func copy(_ name: String, to file: String) {
                place.write(contents(of: Certificates.folder + name), to: file)
            }
            copy("localhost.pem", to: "race.pem")
            copy("localhost.key", to: "race.key")
            let audit = place.path + "/audit.log"
            let server = try place.server(
                "--tls-cert", place.path + "/race.pem", "--tls-key", place.path + "/race.key", "--audit",
                audit)
            _ = try server.port()
            let reloaded = "reloaded changed=none needs-restart=none"
            #expect(try place.ctl("reload").text == reloaded + "\nok\n")
            place.write("no key", to: "race.key")
            let first = try place.ctl("reload")
            #expect(
                first.status == 1
                    && first.text.hasPrefix(reloaded + " refused=certificate\nerror code=bad-value "))
            #expect(first.text.contains("race.key' has no private key in PEM"), "\(first.text)")
            unsafe rename(audit, audit + ".1")
            unsafe mkdir(audit, 0o700)
            defer { unsafe rmdir(audit) }
            let second = try place.ctl("reload")
            #expect(second.text.hasPrefix(reloaded + " refused=certificate,audit\nerror code=bad-value "))
            #expect(second.text.contains("can't be opened (Is a directory)"), "\(second.text)")
            server.signal(SIGHUP)
            let signals = server.errors.lines(holding: " subject=SIGHUP ")
            #expect(signals.count == 1 && signals[0].hasSuffix(" outcome=bad-value"), "\(signals)")
            let log = self.end(server)
            let lines = log.filter { $0.contains(" event=reloaded ") }
            #expect(
                lines.map { $0.contains(" level=warning ") } == [false, true, true, true], "\(lines)")
            // What was moved away is written further.
            #expect(contents(of: audit + ".1").contains(" verb=reload outcome=bad-value"))
        }

        @Test func `a level that an operator said is changed back by name`() throws {
            let place = Place()
            place.write("log-level = debug\n")
            let server = try place.server("--config", place.settings)
            _ = try server.port()
            #expect(try place.ctl("loglevel", "error").text == "ok\n")
            #expect(try place.ctl("reload").text == "reloaded changed=log-level needs-restart=none\nok\n")
            #expect(try place.ctl("reload").text == "reloaded changed=none needs-restart=none\nok\n")
            #expect(try place.ctl("stats").text.contains(" loglevel=debug "))
            _ = self.end(server)
        }

        @Test func `what something stronger sets otherwise is named`() throws {
            let place = Place()
            place.write("grace-seconds = 20\nturn-seconds = 30\nidle-seconds = 40\nfill-seconds = 5\n")
            let server = try Child(
                shell: "export CATRACE_IDLE_SECONDS=41 CATRACE_TURN_SECONDS=31; exec \"$0\" --port=0"
                    + " --control '\(place.socket)' --config '\(place.settings)' --grace-seconds=21"
                    + " --turn-seconds=30 --fill-seconds=5")
            _ = try server.port()
            // The turns are as the file says; and the environment, which says otherwise, is overridden all the same.
            #expect(
                try place.ctl("reload").text
                    == "reloaded changed=none needs-restart=none overridden=turn-seconds,idle-seconds,grace-seconds\n"
                    + "ok\n")
            let log = self.end(server)
            #expect(log.contains { $0.hasSuffix(" overridden=turn-seconds,idle-seconds,grace-seconds") })
        }

        @Test func `a file of acts that was removed is made anew, and the log says so`() throws {
            let place = Place()
            let audit = place.path + "/audit.log"
            let server = try place.server("--audit", audit)
            _ = try server.port()
            #expect(try place.ctl("say", "one").status == 0)
            #expect(eventually { contents(of: audit).contains(" subject=one ") })
            unsafe unlink(audit)
            #expect(try place.ctl("say", "two").status == 0)
            #expect(eventually { contents(of: audit).contains(" subject=two ") })
            unsafe unlink(audit)
            // To look at something is no act.
            for verb in ["who", "matches", "bans", "stats", "help"] {
                #expect(try place.ctl(verb).status == 0)
            }
            #expect(try place.ctl("show", "1").text.hasPrefix("error code=no-such-match "))
            unsafe mkdir(audit, 0o700)
            #expect(try place.ctl("say", "three").status == 0)
            let down = server.errors.lines(holding: " event=audit-down ")
            #expect(down.count == 1 && down[0].contains("(Is a directory)"), "\(down)")
            unsafe rmdir(audit)
            #expect(try place.ctl("say", "four").status == 0)
            let log = self.end(server)
            #expect(log.filter { $0.contains(" event=audit-anew file=\(audit)") }.count == 1, "\(log)")
            #expect(log.filter { $0.contains(" event=audit-up ") && $0.hasSuffix(" missing=1") }.count == 1)
            #expect(log.filter { $0.contains(" event=audit ") }.count == 5, "\(log)")
            #expect(contents(of: audit).split(separator: "\n").count == 2)
        }
    }
}
