import Testing

struct CommandLineTests {
    @Test func `a seed that finds a fault ends with status 1 and the command that shows it again`() throws {
        let arguments = ["--seed", "1", "--races", "40", "--fault", "drop-message"]
        let (lines, status) = try SimulationProcess(arguments).finish()
        #expect(status == 1)
        #expect(lines.contains { $0.hasPrefix("WRONG: at ") })
        #expect(lines.contains("again: catrace-simulate \(arguments.joined(separator: " ")) --log"))
    }

    @Test func `the log tells who said what and when`() throws {
        let (lines, status) = try SimulationProcess(["--seed", "3", "--races", "5", "--log"]).finish()
        #expect(status == 0)
        #expect(lines.contains { $0.contains(" > name p0.1") })
        #expect(lines.contains { $0.contains(" < over seq=") })
    }

    @Test func `people are as many as were asked for, also in the command that shows a fault again`() throws {
        var arguments = ["--seed", "1", "--races", "5", "--people", "40"]
        let (lines, status) = try SimulationProcess(arguments).finish()
        #expect(status == 0)
        #expect(lines.first?.hasPrefix("seed=1 people=40 races=") == true)
        arguments += ["--fault", "swap-winner"]
        let again = try SimulationProcess(arguments).finish().lines.first { $0.hasPrefix("again: ") }
        #expect(again == "again: catrace-simulate \(arguments.joined(separator: " ")) --log")
    }

    @Test func `a wrong call ends with status 2`() throws {
        for arguments in [
            ["--races", "0"], ["--people", "8"], ["--people", "5001"], ["--seeds", "3-1"],
            ["--fault", "none"], ["--what"], ["--seed"],
        ] {
            #expect(try SimulationProcess(arguments).finish().status == 2, "\(arguments)")
        }
    }
}
