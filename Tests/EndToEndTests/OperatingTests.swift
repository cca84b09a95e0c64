import Glibc
import Testing

extension EndToEndTests {
    /// The operator's manual, typed.
    @Suite struct OperatingTests {
        /// Goal: whoever follows docker/OPERATING.md gets what it promises.
        /// Method: every line behind `$` is typed in a folder of its own, beside a server as the manual has it.
        @Test func `every command of the operator's manual does what it says`() async throws {
            let folder = DataFolder()
            #expect(try Program(["/bin/touch", folder.path + "/race.conf"]).waitForEnd() == 0)
            let server = try await Server([
                "--config", folder.path + "/race.conf", "--data", folder.path + "/data", "--admin",
                "127.0.0.1:0", "--control",
                folder.path + "/race.sock", "--audit", folder.path + "/audit.log",
            ])
            let log = try #require(server.program.errors)
            try await log.holds("event=admin-listening")
            let line = log.all.first { $0.contains("event=admin-listening") }
            let admin = try #require(value("port", in: line ?? ""))
            let manual = contents(of: Script.folder + "../../../docker/OPERATING.md")
            let commands = manual.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
            #expect(commands.count > 15)
            let setting =
                "cd '\(folder.path)'; PATH='\(Program.directory)':\"$PATH\"; PORT=\(server.port); ADMIN=\(admin)"
            for command in commands {
                let program = try Program(["/bin/bash", "-c", "\(setting); \(command) >/dev/null"])
                #expect(program.waitForEnd() == 0, "\(command)")
            }
        }
    }
}
