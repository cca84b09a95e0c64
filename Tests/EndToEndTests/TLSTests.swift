import Glibc
import Testing

extension EndToEndTests {
    /// Real programs over TLS, and what they are told when it does not come about.
    @Suite struct TLSTests {
        @Test(arguments: [[], ["-tls1_2"]])
        func `people at openssl, at netcat and at our client are in one race`(version: [String]) async throws
        {
            let server = try await Server.secure()
            let ann = try await Racer("ann", server.openssl(version))
            let bob = try await Racer("bob", server.netcat())
            let bot = try server.client(
                as: "localhost",
                ["bot", "--name", "cid", "--races", "1", "--players", "3", "--pace", "0"]
                    + Certificates.authority)
            for racer in [ann, bob] { racer.say("play 3") }
            let overs = try await race([ann, bob])
            #expect(overs[0] == overs[1] && overs[0].contains("reason=finish"))
            let line = try await bot.lines.wait(for: "race n=1 ")
            #expect(line.hasSuffix("checks=passed"), "\(line)")
            #expect(try await bot.exitCode() == 0)
            ann.say("quit")
            try await ann.lines.wait(for: "bye reason=quit")
            #expect(try await (ann.speaker as? Program)?.exitCode() == 0)
        }

        @Test func `keys may be changed so often on a connection, and others feel nothing of it`()
            async throws
        {
            let server = try await Server.secure()
            let other = try server.netcat()
            let changing = try server.openssl(["-tls1_3"], hasCommands: true)
            for number in 1...32 {
                // By this line openssl changes its keys with what it sends next.
                changing.say("k")
                try await changing.lines.wait(for: "KEYUPDATE")
                changing.say("ping \(number)")
                try await changing.lines.wait(for: "pong value=\(number)")
            }
            changing.say("k")
            try await changing.lines.wait(for: "KEYUPDATE")
            changing.say("ping 33")
            let rest = try await changing.lines.rest()
            #expect(!rest.contains("pong value=33"), "\(rest)")
            other.say("ping 34")
            try await other.lines.wait(for: "pong value=34")
            let log = try #require(server.program.errors)
            try await log.holds("it changed its keys more than 32 times")
        }

        @Test func `a killed connection over TLS keeps its seat, and its player comes back`() async throws {
            let server = try await Server.secure("localhost", Stage.patient)
            let first = try server.openssl()
            let key = try await first.register("ann")
            let bob = try await Racer("bob", server.netcat())
            try await Stage.active.reach(Racer(named: "ann", first), bob)
            try await first.killHard()
            try await bob.lines.wait(for: "gone ")
            let second = try server.openssl()
            second.say("name ann \(key)")
            try await second.lines.wait(for: "welcome player=1 alias=ann")
            try await second.lines.wait(for: "snapshot ")
            second.say("move 1")
            try await bob.lines.wait(for: "over ")
        }

        @Test(arguments: [
            ("localhost", "localhost", Certificates.authority, 0, ""),
            ("localhost", "127.0.0.1", Certificates.authority, 0, ""),
            (
                "other", "localhost", Certificates.authority, 1,
                "catrace: the certificate is for race.example, not localhost: connect by the name it is for, or to "
                    + "the right server"
            ),
            (
                "expired", "localhost", Certificates.authority, 1,
                "catrace: the certificate of localhost expired on Jan  1 00:00:00 2021 GMT: the server needs a new one"
            ),
            (
                "localhost", "localhost", ["--tls"], 1,
                "catrace: the certificate of localhost is not trusted: when it should be, pass its authority with "
                    + "--ca FILE"
            ),
            (
                "own", "localhost", Certificates.authority, 1,
                "catrace: the certificate of localhost is not trusted: when it should be, pass its authority with "
                    + "--ca FILE"
            ),
            (
                "own", "localhost", ["--ca", "no-such"], 2,
                "catrace: --ca 'no-such' is not there: give the authorities' certificates, in PEM"
            ),
        ])
        func `our client says what is wrong with a certificate, and what to do`(
            certificate: String, host: String, flags: [String], code: Int32, sentence: String
        ) async throws {
            let server = try await Server.secure(certificate)
            let client = try server.client(as: host, ["ping"] + flags)
            #expect(try await client.exitCode() == code)
            if code == 0 {
                #expect(client.lines.all.first?.hasPrefix("pong n=1 server=\(host):") == true)
            } else {
                #expect(client.lines.all == [sentence])
            }
        }

        @Test func `a server without a certificate closes, and the client says why`() async throws {
            let server = try await Server()
            let client = try server.client(as: "localhost", ["ping", "--tls"])
            #expect(try await client.exitCode() == 1)
            let sentence = "does not speak TLS: start the server with --tls-cert, or leave --tls out"
            #expect(client.lines.all == ["catrace: localhost:\(server.port) \(sentence)"])
            try await server.program.errors?.holds("event=tls-refused connection=0")
        }

        @Test func `a hang-up signal brings a new certificate, and a wrong one changes nothing`() async throws
        {
            let folder = Certificates.folder + "reloaded/"
            let copy = "mkdir -p '\(folder)' && cd '\(folder)' && cp ../$0.pem it.pem && cp ../$1.key it.key"
            func install(_ certificate: String, _ key: String) async throws {
                let program = try Program(["/bin/sh", "-c", copy, certificate, key])
                #expect(try await program.exitCode() == 0)
            }
            try await install("localhost", "localhost")
            let server = try await Server.secure("reloaded/it")
            let log = try #require(server.program.errors)
            let old = try await Racer("ann", server.openssl())
            try await install("other", "localhost")
            server.program.signal(SIGHUP)
            try await log.wait(for: "time=")
            try await log.holds("event=certificate-refused")
            try await server.openssl().register("bob")
            try await install("other", "other")
            server.program.signal(SIGHUP)
            try await log.holds("event=certificate-loaded")
            let client = try server.client(as: "localhost", ["ping"] + Certificates.authority)
            #expect(try await client.exitCode() == 1)
            #expect(client.lines.text.contains("the certificate is for race.example"))
            old.say("ping 7")
            try await old.lines.wait(for: "pong value=7")
        }

        @Test func `the load harness races over TLS`() async throws {
            let server = try await Server.secure()
            let load = try Program(
                ["catrace-load", "--connect", server.address, "--players", "8", "--seconds", "1"]
                    + Certificates.authority)
            #expect(try await load.exitCode() == 0, "\(load.lines.text)")
        }
    }
}
