import ClientCore
import RaceModel
import Testing

@testable import ClientRuntime

@Suite struct CommandReaderTests {
    private func options(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> ClientOptions {
        let command = try CommandReader.read(["play"] + arguments) { environment[$0] }
        guard case .play(let options) = command else { throw ClientCommand.Mistake(text: "not play") }
        return options
    }

    private func mistake(_ arguments: [String], _ environment: [String: String] = [:]) -> String? {
        do {
            _ = try CommandReader.read(arguments) { environment[$0] }
            return nil
        } catch {
            return error.text
        }
    }

    @Test func `flags mean the same in both forms, and the last one counts`() throws {
        let options = try self.options([
            "--connect=[::1]:99", "--name", "ann", "--players=2-4", "--rule", "dash", "--draw", "sealed",
            "--finish=7", "--group", "3", "--manual", "--finish", "8",
        ])
        #expect(options.address == ServerAddress(host: "::1", port: 99))
        #expect(options.name == "ann" && options.isNameGiven && options.isManual && !options.isAutomatic)
        let settings = RaceSettings(rule: .dash, draw: .sealed, finish: 8)
        #expect(options.request == RaceRequest(minimum: 2, maximum: 4, settings: settings, group: 3))
    }

    @Test func `authorities of one's own are for TLS as well`() throws {
        #expect(try !self.options([]).isSecure)
        let system = try self.options(["--tls"])
        #expect(system.isSecure && system.authorities == nil)
        let own = try self.options(["--ca", "ca.pem"])
        #expect(own.isSecure && own.authorities == "ca.pem")
        #expect(self.mistake(["who", "--tls=yes"]) == "--tls takes no value")
        #expect(self.mistake(["ping", "--ca", ""]) == "--ca is the path of a file in PEM")
    }

    @Test func `the environment says what the flags do not`() throws {
        let environment = [
            "CATRACE_SERVER": "race:5", "CATRACE_KEY": "000000000000000a000000000000000b", "USER": "eve",
        ]
        let options = try self.options(["--name", "ann"], environment)
        #expect(options.address == ServerAddress(host: "race", port: 5) && options.serverText == nil)
        #expect(options.key == PlayerKey(high: 10, low: 11))
        #expect(try self.options(["--connect", "b"], ["CATRACE_SERVER": "c"]).address.host == "b")
        #expect(try self.options([], ["USER": "eve"]).name == "eve")
        #expect(try self.options([]).address == ServerAddress(host: "localhost", port: 7223))
    }

    @Test func `names are made valid, or made up`() {
        #expect(PlayerName.proposal(user: "j. doe!") == "j.doe")
        #expect(PlayerName.proposal(user: String(repeating: "a", count: 30)).utf8.count == 20)
        for user in [nil, "", "---", "éé", "bot-x"] as [String?] {
            let name = PlayerName.proposal(user: user)
            #expect(name.hasPrefix("cat-") && name.utf8.count == 7, "\(name)")
        }
    }

    @Test func `bots alone make a race of their own size`() throws {
        let options = try self.options(["--bots", "3"])
        #expect(options.request.minimum == 4 && options.request.maximum == 4 && options.request.bots == 3)
        #expect(try self.options(["--bots", "1", "--players", "2-3"]).request.maximum == 3)
    }

    @Test func `each mistake is named, with what would be right`() {
        let cases: [([String], String)] = [
            (["play", "--players", "9"], "--players is a whole number from 2 to 8, not '9'"),
            (["play", "--players", "4-2"], "--players: the fewest come first: 2-4"),
            (["play", "--bots", "-1"], "--bots is a whole number from 0 to 7, not '-1'"),
            (["play", "--finish", "0"], "--finish is a whole number from 1 to 100000000, not '0'"),
            (["play", "--rule", "x"], "--rule is turns or dash, not 'x'"),
            (["play", "--name"], "--name needs a value: ALIAS"),
            (["play", "--manual=1"], "--manual takes no value"),
            (["play", "--key", "12", "--name", "ann"], "a key is 32 hexadecimal digits"),
            (["play", "now"], "'now' was not expected"),
            (["ping", "--bots", "1"], "catrace ping has no flag '--bots'"),
            (["watch", "x"], "which match?"), (["alias"], "whose alias?"),
            (["alias", "x"], "'x' is no player id"),
            (["help", "x"], "there is no verb 'x'"),
            (["verify"], "which file?"), (["verify", "a", "b"], "which file?"), (["replay"], "which race?"),
            (["replay", "7", "--speed", "0"], "--speed is a whole number from 1 to 100, not '0'"),
            (["replay", "7", "--force"], "--force goes with --save FILE"),
            (["replay", "7", "--save="], "--save needs the name of a file"),
            (
                ["replay", "99999999999999999999"],
                "'99999999999999999999' is no match, and a file named so is ./999"
            ),
            (["top", "walk"], "a rule is turns or dash, not 'walk'"),
            (["top", "turns", "dash"], "catrace top takes"),
            (["top", "--page", "0"], "--page is a whole number from 1 to 65535, not '0'"),
            (["player"], "which player?"), (["player", "a b"], "which player?"),
            (["bot", "--guest"], "catrace bot has no flag '--guest'"),
        ]
        for (arguments, text) in cases {
            #expect(self.mistake(arguments)?.hasPrefix(text) == true, "\(self.mistake(arguments) ?? "none")")
        }
        let key = String(repeating: "0", count: 32)
        #expect(self.mistake(["play"], ["CATRACE_KEY": key])?.hasPrefix("whose key is it?") == true)
    }

    @Test func `a replay is of a match by its number, or of a file`() throws {
        func plan(_ arguments: [String]) throws -> ReplayPlan? {
            guard
                case .replay(let plan, _) = try CommandReader.read(
                    ["replay"] + arguments, environment: { _ in nil })
            else { return nil }
            return plan
        }
        let match = try #require(try plan(["7"]))
        #expect(match.source == .match(MatchID(7)) && match.speed == nil && match.savePath == nil)
        #expect(try plan(["./7"])?.source == .file("./7"))
        let saved = try #require(try plan(["race.txt", "--speed", "max", "--save", "b.txt", "--force"]))
        #expect(saved.source == .file("race.txt") && saved.speed == .most)
        #expect(saved.savePath == "b.txt" && saved.overwrites)
        #expect(try plan(["7", "--speed=16"])?.speed == .times(16))
    }

    @Test func `every verb has a manual that names all its flags`() throws {
        for verb in ClientVerb.allCases {
            guard
                case .print(let text) = try CommandReader.read(
                    ["help", verb.rawValue], environment: { _ in nil })
            else {
                Issue.record("\(verb) has none")
                continue
            }
            #expect(text.hasPrefix("catrace \(verb.rawValue)"))
            for flag in verb.flags { #expect(text.contains("--\(flag.rawValue)")) }
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }
}
