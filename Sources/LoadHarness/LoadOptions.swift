package import ClientCore
package import EventLoop
import RaceModel

/// What the command line asks for.
package enum LoadOptions: Sendable {
    case run(Run)
    case help
    case version

    package struct Run: Sendable {
        package var server = ServerAddress(host: "127.0.0.1")
        package var plan = LoadPlan()
        /// Addresses to connect from; empty: the harness chooses.
        package var sources: [SocketAddress] = []
        package var isSecure = false
        /// The file of the authorities that are trusted; nil: the system's are.
        package var authorities: String?
        package var jsonPath: String?
        /// The server's process, if it is to be watched.
        package var serverPID: Int32?
    }

    /// The command line is wrong: one sentence that names the flag and what is legal.
    package struct Mistake: Error, Hashable {
        package var text: String
        init(_ text: String) { self.text = text }
    }

    /// The arguments behind the program's name: `--flag value` or `--flag=value`, a later one wins.
    package static func parse(_ arguments: [String]) throws(Mistake) -> LoadOptions {
        var run = Run()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            if ["--help", "-h", "--version"].contains(flag) {
                guard attached == nil else { throw Mistake("\(flag) takes no value") }
                return flag == "--version" ? .version : .help
            }
            if Self.switches.contains(flag) {
                guard attached == nil else { throw Mistake("\(flag) takes no value") }
                switch flag {
                case "--tls": run.isSecure = true
                case "--restarts": run.plan.bearsRestarts = true
                default: run.plan.isFloor = true
                }
                continue
            }
            guard Self.flags.contains(flag) else {
                let what = argument.hasPrefix("-") ? "there is no flag" : "what is meant by"
                throw Mistake("\(what) '\(Self.printable(flag))'? The flags are \(Self.flagList)")
            }
            guard let value = attached ?? rest.popFirst() else { throw Mistake("\(flag) needs a value") }
            try Self.set(flag, value, in: &run)
        }
        if run.plan.isFloor, run.plan.dropsPerSecond != nil {
            throw Mistake("--drops does not go with --floor: the relay holds no seats")
        }
        if run.plan.isFloor, run.plan.bearsRestarts {
            throw Mistake("--restarts does not go with --floor: the relay holds no seats")
        }
        if run.plan.isFloor, run.isSecure {
            throw Mistake("--tls does not go with --floor: the relay is plain")
        }
        if run.plan.isFloor { run.plan.textShare = 0 }
        try Self.check(run.plan)
        return .run(run)
    }

    private static let flags = [
        "--connect", "--players", "--seconds", "--rate", "--pace", "--rule", "--draw", "--finish",
        "--race-size",
        "--text-share", "--ramp-seconds", "--sources", "--group", "--seed", "--json", "--pairs",
        "--move-rate",
        "--server-pid", "--drops", "--away", "--ca",
    ]

    private static let switches = ["--floor", "--tls", "--restarts"]

    private static var flagList: String {
        (Self.flags + Self.switches + ["--version"]).joined(separator: ", ") + " and --help"
    }

    private static func check(_ plan: LoadPlan) throws(Mistake) {
        guard plan.players >= plan.raceSize else {
            throw Mistake(
                "--players must be at least --race-size, and \(plan.players) players are no race of \(plan.raceSize)"
            )
        }
        if plan.isEndless {
            guard plan.settings.rule == .turns, plan.raceSize == 2, plan.settings.finish == Limits.finish,
                plan.racesPerSecond == nil, plan.players % 2 == 0
            else {
                throw Mistake(
                    "--pairs makes endless races of two in rule turns: it goes with none of --players, --rule, "
                        + "--race-size, --finish and --rate; for an open model there is --move-rate")
            }
        } else if plan.movesPerSecond != nil || plan.isFloor {
            throw Mistake("--move-rate and --floor need --pairs: they are for endless races")
        }
    }

    private static func set(_ flag: String, _ value: String, in run: inout Run) throws(Mistake) {
        switch flag {
        case "--drops":
            run.plan.dropsPerSecond = try Self.decimal(flag, value, 0...100_000)
            if run.plan.dropsPerSecond == 0 { run.plan.dropsPerSecond = nil }
        case "--away":
            let seconds = try Self.decimal(flag, value, 0...29)
            run.plan.away = Instant.Span(nanoseconds: Int64((seconds * 1e9).rounded()))
        case "--ca":
            guard !value.isEmpty else { throw Mistake("--ca must be the path of a file in PEM") }
            (run.isSecure, run.authorities) = (true, value)
        case "--pairs": run.plan.makeEndless(pairs: try Self.number(flag, value, 1...500_000))
        case "--move-rate":
            run.plan.movesPerSecond = try Self.decimal(flag, value, 0.01...10_000_000)
        case "--server-pid":
            let pid = Int32(try Self.number(flag, value, 1...Int(Int32.max)))
            guard ServerProcess(pid: pid).isThere else { throw Mistake("there is no process \(pid)") }
            run.serverPID = pid
        case "--connect":
            guard let server = ServerAddress(value) else {
                throw Self.mistake(flag, "HOST, HOST:PORT or [IPV6]:PORT", value)
            }
            run.server = server
        case "--players": run.plan.players = try Self.number(flag, value, 2...1_000_000)
        case "--seconds": run.plan.seconds = try Self.number(flag, value, 1...86_400)
        case "--rate": run.plan.racesPerSecond = try Self.decimal(flag, value, 0.01...1_000_000)
        case "--pace": run.plan.givenPace = .milliseconds(try Self.number(flag, value, 0...2000))
        case "--rule":
            switch value {
            case "turns": run.plan.settings.rule = .turns
            case "dash": run.plan.settings.rule = .dash
            default: throw Self.mistake(flag, "turns or dash", value)
            }
        case "--draw":
            switch value {
            case "highest": run.plan.settings.draw = .highest
            case "sealed": run.plan.settings.draw = .sealed
            default: throw Self.mistake(flag, "highest or sealed", value)
            }
        case "--finish":
            run.plan.settings.finish = UInt32(try Self.number(flag, value, 1...Int(Limits.finish)))
        case "--race-size": run.plan.raceSize = try Self.number(flag, value, 2...Limits.playersPerMatch)
        case "--text-share": run.plan.textShare = try Self.decimal(flag, value, 0...1)
        case "--ramp-seconds": run.plan.givenRampSeconds = try Self.decimal(flag, value, 0...3600)
        case "--sources": run.sources = try Self.sources(flag, value)
        case "--group": run.plan.group = UInt32(try Self.number(flag, value, 0...Int(UInt32.max)))
        case "--seed":
            guard Self.isDigits(value), let seed = UInt64(value) else {
                throw Self.mistake(flag, "a whole number from 0 to \(UInt64.max)", value)
            }
            run.plan.seed = seed
        default:
            guard !value.isEmpty else { throw Mistake("--json must be the path of a file to write") }
            run.jsonPath = value
        }
    }

    /// `A`, `A,B` or `A-B`, where A and B differ in the last number only.
    private static func sources(_ flag: String, _ value: String) throws(Mistake) -> [SocketAddress] {
        var sources: [SocketAddress] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard ends.count <= 2, let first = SocketAddress(ends[0], port: 0) else {
                throw Self.mistake(flag, "IP addresses, such as 127.0.0.1-127.0.0.8", value)
            }
            guard ends.count == 2 else {
                sources.append(first)
                continue
            }
            let (low, high) = (ends[0].split(separator: "."), ends[1].split(separator: "."))
            guard low.count == 4, high.count == 4, low.dropLast() == high.dropLast(),
                let from = UInt8(low[3]), let to = UInt8(high[3]), from <= to
            else {
                throw Self.mistake(
                    flag, "a range that differs in the last number only, such as 127.0.0.1-127.0.0.8", value)
            }
            let prefix = low.dropLast().joined(separator: ".")
            sources += (from...to).compactMap { SocketAddress("\(prefix).\($0)", port: 0) }
        }
        return sources
    }

    private static func number(
        _ flag: String, _ value: String, _ range: ClosedRange<Int>
    ) throws(Mistake) -> Int {
        guard Self.isDigits(value), let number = Int(value), range.contains(number) else {
            throw Self.mistake(flag, "a whole number from \(range.lowerBound) to \(range.upperBound)", value)
        }
        return number
    }

    private static func decimal(
        _ flag: String, _ value: String, _ range: ClosedRange<Double>
    ) throws(Mistake) -> Double {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, parts.allSatisfy(Self.isDigits), let number = Double(value),
            range.contains(number)
        else {
            throw Self.mistake(
                flag, "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))",
                value)
        }
        return number
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    private static func isDigits(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func mistake(_ flag: String, _ legal: String, _ value: String) -> Mistake {
        Mistake("\(flag) must be \(legal), not '\(Self.printable(value))'")
    }

    private static func printable(_ text: String) -> String {
        var cut = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) {
            cut.append((" "..."~").contains(scalar) ? scalar : "?")
        }
        return String(cut)
    }
}
