import ClientCore
import EventLoop
import Glibc
import LoadHarness
import RaceModel
import Testing

struct LoadOptionsTests {
    private func run(_ line: String) throws -> LoadOptions.Run {
        guard case .run(let run) = try LoadOptions.parse(line.split(separator: " ").map(String.init)) else {
            throw Absent()
        }
        return run
    }

    private struct Absent: Error {}

    @Test func `every flag reaches the plan`() throws {
        let run = try self.run(
            """
            --connect [::1]:900 --players 40 --seconds 3 --rate 12.5 --pace 40 --rule dash --draw sealed --finish 7 \
            --race-size 4 --text-share 0.5 --ramp-seconds 2.5 --sources 127.0.0.1-127.0.0.3,127.0.1.9 --group 9 \
            --seed=18446744073709551615 --json out.json --drops 2.5 --away 0.25 \
            --restarts
            """)
        #expect(run.server.description == "[::1]:900")
        #expect(run.plan.players == 40)
        #expect(run.plan.seconds == 3)
        #expect(run.plan.racesPerSecond == 12.5)
        #expect(run.plan.isOpen)
        #expect(run.plan.pace == .milliseconds(40))
        #expect(run.plan.settings == RaceSettings(rule: .dash, draw: .sealed, finish: 7))
        #expect(run.plan.raceSize == 4)
        #expect(run.plan.textShare == 0.5)
        #expect(run.plan.rampSeconds == 2.5)
        #expect(
            run.sources.map(\.description) == [
                "127.0.0.1:0", "127.0.0.2:0", "127.0.0.3:0", "127.0.1.9:0",
            ])
        #expect(run.plan.group == 9)
        #expect(run.plan.seed == .max)
        #expect(run.jsonPath == "out.json")
        #expect(run.plan.dropsPerSecond == 2.5)
        #expect(run.plan.bearsRestarts)
        #expect(run.plan.away == .milliseconds(250))
    }

    @Test func `authorities of one's own are for TLS as well`() throws {
        #expect(try !self.run("").isSecure)
        #expect(try self.run("--tls").isSecure && self.run("--tls").authorities == nil)
        let own = try self.run("--ca=ca.pem")
        #expect(own.isSecure && own.authorities == "ca.pem")
        #expect(throws: LoadOptions.Mistake.self) { try self.run("--tls --floor --pairs 1") }
    }

    @Test func `without flags there is a sensible run`() throws {
        let run = try self.run("")
        #expect(run.server.description == "127.0.0.1:7223")
        #expect(run.plan == LoadPlan())
        #expect(try self.run("--drops 0").plan == LoadPlan())
        #expect(!run.plan.isOpen)
        #expect(run.plan.pace == Instant.Span(nanoseconds: 0))
        #expect(run.jsonPath == nil)
    }

    @Test func `a wrong command line is named with what would be right`() {
        for (line, part) in [
            ("--players", "needs a value"), ("--players 1", "a whole number from 2"),
            ("--players -3", "not '-3'"),
            ("--players 99999999999999999999", "a whole number"), ("--rate 0", "from 0.01"),
            ("--rate 1e3", "not '1e3'"),
            ("--rate nan", "a number"), ("--text-share 1.1", "from 0 to 1"), ("--rule fast", "turns or dash"),
            ("--draw low", "highest or sealed"), ("--race-size 9", "from 2 to 8"), ("--finish 0", "from 1"),
            ("--players 3 --race-size 4", "no race of 4"), ("--sources a", "IP addresses"),
            ("--sources 127.0.0.9-127.0.0.1", "last number"),
            ("--sources 127.0.0.1-127.0.1.3", "last number"),
            ("--connect :", "HOST"), ("--frobnicate", "no flag '--frobnicate'"), ("loud", "what is meant by"),
            ("--json=", "a file"), ("--help=1", "takes no value"), ("--pace 2001", "from 0 to 2000"),
            ("--away 30", "from 0 to 29"), ("--drops -1", "from 0 to"),
            ("--pairs 2 --floor --drops 1", "holds no seats"),
            ("--pairs 2 --floor --restarts", "holds no seats"), ("--restarts=2", "takes no value"),
            ("--pairs 0", "from 1"), ("--move-rate 10", "need --pairs"), ("--floor", "need --pairs"),
            ("--pairs 5 --rule dash", "--move-rate"), ("--pairs 5 --rate 3", "--move-rate"),
            ("--floor=1", "takes no value"), ("--server-pid 2147483647", "no process"),
        ] {
            let error = #expect(throws: LoadOptions.Mistake.self, "\(line)") { try self.run(line) }
            #expect(error?.text.contains(part) == true, "\(line): \(error?.text ?? "")")
        }
    }

    @Test func `pairs are endless races of two, and the relay is their floor`() throws {
        let line = "--floor --pairs 50 --move-rate 2500 --text-share 0.5 --server-pid \(getpid())"
        let run = try self.run(line)
        #expect(run.plan.players == 100)
        #expect(run.plan.isEndless && run.plan.isFloor)
        #expect(run.plan.settings.finish == Limits.finish)
        #expect(run.plan.pace == .milliseconds(20))
        #expect(run.plan.textShare == 0, "the relay knows no text")
        #expect(run.serverPID == getpid())
    }

    @Test func `limits of this machine are told before a run, not during it`() throws {
        let limits = ClientLimits(descriptors: 1000, portsPerSource: 500)
        let server = try #require(SocketAddress("127.0.0.1", port: 7223))
        #expect(throws: ClientLimits.Shortage.self) {
            try limits.choose(players: 1001, server: server, given: [])
        }
        #expect(try limits.choose(players: 400, server: server, given: []).sources.count == 1)
        // 450 of the ports of each address are used.
        #expect(try limits.choose(players: 1000, server: server, given: []).sources.count == 3)
        let error = #expect(throws: ClientLimits.Shortage.self) {
            try limits.choose(players: 1000, server: server, given: [server])
        }
        #expect(error?.text.contains("needs 3 source addresses") == true)
        #expect(ClientLimits.ofThisProcess().descriptors > 0)
        #expect(ClientLimits.ofThisProcess().portsPerSource > 100)
    }
}
