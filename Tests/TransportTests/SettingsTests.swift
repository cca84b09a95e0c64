import RaceModel
import ServerCore
import ServerRuntime
import Testing

@testable import catrace_server

@Suite("Settings")
struct SettingsTests {
    private func effective(
        file: String? = nil, environment: [(String, String)] = [], flags: [String] = []
    ) throws -> EffectiveSettings {
        let arguments = (file == nil ? [] : ["--config", "race.conf"]) + flags
        let options = try Options.parse(arguments, environment: environment) { path in
            path == "race.conf" ? file ?? "" : ""
        }
        guard case .run(let effective) = options else { throw SettingFault("this is not a run") }
        return effective
    }

    private func fault(
        file: String? = nil, environment: [(String, String)] = [], flags: [String] = []
    ) -> String {
        do {
            _ = try self.effective(file: file, environment: environment, flags: flags)
            return "no fault"
        } catch let fault as SettingFault {
            return fault.text
        } catch { return "another error" }
    }

    @Test func `flags win over the environment, and that over the file`() throws {
        let file = "turn-seconds = 30\nidle-seconds=31 # a comment\n\n# another\nport = 1\r\n"
        let environment = [("CATRACE_TURN_SECONDS", "40"), ("CATRACE_PORT", "2"), ("HOME", "/")]
        let effective = try self.effective(file: file, environment: environment, flags: ["--port=3"])
        #expect(effective.settings.core.deadlines.idle == .seconds(31))
        #expect(effective.settings.core.deadlines.turn == .seconds(40))
        #expect(effective.settings.port == 3)
        #expect(effective.sources["idle-seconds"] == .file(path: "race.conf", line: 2))
        #expect(effective.sources["turn-seconds"] == .environment)
        #expect(effective.sources["port"] == .flag)
        #expect(effective.sources["host"] == nil)
        #expect(effective.warnings.isEmpty)
    }

    @Test func `what print-config prints is a file that sets the same`() throws {
        let flags = ["--turn-seconds", "7", "--log-format", "json", "--seed", "18446744073709551615"]
        let first = try self.effective(flags: flags)
        let second = try self.effective(file: first.text)
        #expect(second.settings.core == first.settings.core)
        #expect(second.settings.seed == .max)
        #expect(second.settings.logFormat == .json)
        #expect(
            first.text.split(separator: "\n").first { $0.hasPrefix("turn-seconds") }?.hasSuffix("# flag")
                == true)
        #expect(first.text.contains("# seed") == false)
        #expect(try self.effective().text.contains("# seed ="))
    }

    @Test func `lists take blanks around their commas`() throws {
        let file = "ban = 1.2.3.4, 5.6.7.0/24\nproxy-port = 1\nproxy-from = 10.0.0.0/8 ,::1\n"
        let settings = try self.effective(file: file).settings
        #expect(settings.core.door.bans.map { "\($0.subject)" } == ["1.2.3.4", "5.6.7.0/24"])
        #expect(settings.proxies.count == 2)
        // And are printed as a file has them.
        let printed = try self.effective(file: try self.effective(file: file).text).settings
        #expect(printed.proxies == settings.proxies && printed.core.door.bans == settings.core.door.bans)
        for wrong in ["1.2.3.4, ", "1.2.3. 4", "0.0.0.0/0", "1.2.3.4 5.6.7.8"] {
            #expect(
                self.fault(file: "ban = \(wrong)\n").contains("ban must be up to 10000 addresses"), "\(wrong)"
            )
        }
    }

    @Test func `what print-config prints of a server that keeps nothing starts one`() throws {
        let text = try self.effective(flags: ["--memory"]).text
        #expect(text.contains("\n# data = "))
        #expect(try self.effective(file: text).settings.inMemory)
    }

    @Test func `verbs that look at the file find it by flag, then by environment`() throws {
        func tool(_ words: String...) throws -> ToolOptions? {
            let environment = [("CATRACE_DATA", "/env")]
            let options = try Options.parse(words, environment: environment) { _ throws(SettingFault) in "" }
            guard case .tool(let tool) = options else { return nil }
            return tool
        }
        #expect(try tool("check") == .check(.directory("/env")))
        #expect(try tool("check", "--data", "/flag") == .check(.directory("/flag")))
        #expect(try tool("verify", "--all", "a.db") == .verify(.file("a.db")))
        #expect(try tool("backup", "a.db") == .backup(directory: "/env", file: "a.db"))
    }

    @Test func `unknown keys are refused by name, with the nearest one`() {
        #expect(
            self.fault(file: "port = 1\nturn-secnds = 3\n")
                == "race.conf line 2: there is no setting 'turn-secnds': did you mean turn-seconds?")
        #expect(self.fault(flags: ["--prot", "1"]) == "there is no flag '--prot': did you mean --port?")
        #expect(self.fault(flags: ["--zzzzzz"]) == "there is no flag '--zzzzzz': --help lists them")
        #expect(self.fault(flags: ["port"]) == "what is meant by 'port'? A flag begins with --")
    }

    @Test func `an unknown variable is warned of, since it may be another program's`() throws {
        let effective = try self.effective(environment: [("CATRACE_TRUN_SECONDS", "1")])
        #expect(
            effective.warnings == [
                "there is no setting for the variable CATRACE_TRUN_SECONDS: did you mean turn-seconds?"
            ])
    }

    @Test func `a variable of our client's is none that is unknown`() throws {
        let effective = try self.effective(
            environment: [("CATRACE_KEY", "0"), ("CATRACE_SERVER", "race.example")])
        #expect(effective.warnings.isEmpty)
    }

    @Test func `what is overridden by another value is named, whatever overrides it`() throws {
        let file = "turn-seconds = 30\nidle-seconds = 40\ngrace-seconds = 20\nport = 1\n"
        let effective = try self.effective(
            file: file, environment: [("CATRACE_IDLE_SECONDS", "41"), ("CATRACE_LOOPS", "2")],
            flags: ["--grace-seconds=21", "--turn-seconds=30", "--loops=3", "--port=7", "--port=8"])
        #expect(effective.overridden == ["port", "loops", "idle-seconds", "grace-seconds"])
        #expect(try self.effective(flags: ["--port=7", "--port=8"]).overridden == [])
        let between = try self.effective(
            file: "turn-seconds = 31\n", environment: [("CATRACE_TURN_SECONDS", "30")],
            flags: ["--turn-seconds=30"])
        #expect(between.overridden == ["turn-seconds"])
    }

    @Test func `a wrong value is named with what would be right, wherever it stands`() {
        let legal = "must be a whole number from 1 to 86400, not"
        #expect(self.fault(file: "\nturn-seconds = 0") == "race.conf line 2: turn-seconds \(legal) '0'")
        #expect(
            self.fault(environment: [("CATRACE_TURN_SECONDS", "x\n")]) == "CATRACE_TURN_SECONDS \(legal) 'x?'"
        )
        #expect(self.fault(flags: ["--turn-seconds", "86401"]) == "--turn-seconds \(legal) '86401'")
        #expect(self.fault(flags: ["--turn-seconds"]) == "--turn-seconds needs a value")
        #expect(
            self.fault(flags: ["--log-level", "loud"])
                == "--log-level must be debug, info, warning or error, not 'loud'")
    }

    @Test func `a line that is no setting, and a key set twice, are refused by line`() {
        #expect(
            self.fault(file: "port 7300\n") == "race.conf line 1: a line is `key = value`, not 'port 7300'")
        #expect(self.fault(file: "port=1\n\nport=1\n") == "race.conf line 3: port is set in line 1 already")
    }

    @Test func `each setting shows its default in the help`() {
        for setting in Setting.all {
            #expect(Manual.text.contains("  \(setting.flag)"), "\(setting.key)")
            let value = setting.value(in: ServerSettings())
            if !value.isEmpty { #expect(Manual.text.contains("[\(value)]"), "\(setting.key)") }
        }
    }

    @Test func `a reload takes over limits, deadlines and logs, and names what needs a restart`() throws {
        var settings = try self.effective(file: "port = 1\nban = 192.0.2.1\ncap-loopback = yes\n").settings
        let new = try self.effective(
            file: "port = 2\nban =\nturn-seconds = 3\nlog-format = json\nseed = 4\nconnects-per-second = 5\n"
        ).settings
        #expect(
            settings.reload(new)
                == ReloadChanges(
                    changed: [
                        "connects-per-second", "cap-loopback", "ban", "turn-seconds", "log-format",
                    ], fixed: ["port", "seed"]))
        #expect(settings.port == 1 && settings.seed == nil)
        #expect(settings.core == new.core && settings.logFormat == .json)
        #expect(settings.reload(new) == ReloadChanges(fixed: ["port", "seed"]))
    }
}
