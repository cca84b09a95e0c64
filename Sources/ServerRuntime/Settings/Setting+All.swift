import RaceModel
import ServerCore

/// Every setting there is, in the order of the help.
extension Setting {
    package static let all: [Setting] = place + keeping + door + transport + patience + operation + other

    private static let place: [Setting] = [
        Setting(
            "host", "ADDRESS", .place, legal: "an IPv4 or IPv6 address of this machine, or localhost",
            "IPv4 or IPv6 address to listen on, or localhost for 127.0.0.1 and ::1. 0.0.0.0 is every "
                + "IPv4 address, :: every address.",
            take: { value, settings in
                guard !value.isEmpty else { return false }
                settings.host = value
                return true
            }, tell: { $0.host }),
        Setting(
            "port", "N", .place, legal: "a whole number from 0 to 65535",
            "0 to 65535; 0 takes a free port.",
            take: { value, settings in
                guard let port = Self.number(value, 0...65_535) else { return false }
                settings.port = UInt16(port)
                return true
            }, tell: { "\($0.port)" }),
        .count(
            "connections", \.connections, 1...1_000_000, .place,
            "Connections at once; further ones wait until one ends. `ulimit -n` and the memory there is "
                + "must allow for them: about 140 KiB each at most, 1 KiB at rest, and 700 MiB for the rest, "
                + "once a million players are remembered. The log's line `capacity` says what it "
                + "comes to. Fewer, if this is not set and one of the two says so."),
        .count(
            "loops", \.loops, 1...Limits.loops, .place,
            "So many threads share the sockets, and with more than one the rules have another to "
                + "themselves. For machines with processors to spare."),
    ]

    private static let keeping: [Setting] = [
        Setting(
            "data", "DIR", .keeping, legal: "a directory",
            "In this directory, which is made if there is none. One server a directory.",
            take: { value, settings in
                guard !value.isEmpty else { return false }
                settings.directory = value
                return true
            }, tell: { $0.directory }),
        .toggle("memory", \.inMemory, .keeping, "Nowhere: all is forgotten at its end."),
    ]

    /// An address is one of IPv4, or the first 64 bits of one of IPv6.
    private static let door: [Setting] = [
        .count(
            "connections-per-address", \.core.door.connectionsPerAddress, 1...1_000_000, .door,
            "Connections of one address at once. An address is one of IPv4, or the first 64 bits of one of "
                + "IPv6: people behind one router count together. Of addresses of this machine nothing is "
                + "counted, so behind a proxy on it these limits hold nobody back.", reloadable: true),
        Setting(
            "connects-per-second", "N", .door, legal: "a whole number from 1 to 1000",
            "Connects of one address, four times as many at once.", reloadable: true,
            take: { value, settings in
                guard let rate = Self.number(value, 1...1000) else { return false }
                settings.core.door.connects = Budget(perSecond: rate, burst: 4 * rate)
                return true
            }, tell: { "\($0.core.door.connects.perSecond)" }),
        Setting(
            "names-per-hour", "N", .door, legal: "a whole number from 1 to 1000000",
            "New names of one address, as many at once.", reloadable: true,
            take: { value, settings in
                guard let rate = Self.number(value, 1...1_000_000) else { return false }
                settings.core.door.newNames = Budget(perHour: rate, burst: rate)
                return true
            }, tell: { "\($0.core.door.newNames.burst)" }),
        Setting(
            "races-per-second", "N", .door, legal: "a whole number from 1 to 1000",
            "Races that players of one address begin, sixty times as many at once. Each is kept on the disk.",
            reloadable: true,
            take: { value, settings in
                guard let rate = Self.number(value, 1...1000) else { return false }
                settings.core.door.races = Budget(perSecond: rate, burst: 60 * rate)
                return true
            }, tell: { "\($0.core.door.races.perSecond)" }),
        .toggle(
            "cap-loopback", \.core.door.capsLoopback, .door,
            "Addresses of this machine count like all others.", reloadable: true),
        Setting(
            "ban", "LIST", .door,
            legal:
                "up to \(Limits.bans) addresses or ranges of \(NetworkRange.fewestBanBits) bits or more, such as "
                + "192.0.2.0/24,2001:db8::/32",
            "Addresses and ranges, by commas, that are kept out as long as they stand here.",
            reloadable: true,
            take: { value, settings in
                guard !value.isEmpty else {
                    settings.core.door.bans = []
                    return true
                }
                let subjects = Self.list(value).map { Ban.Subject($0) }
                guard subjects.count <= Limits.bans else { return false }
                var bans: [Ban] = []
                for subject in subjects {
                    guard case .range(let range)? = subject, !range.isTooWideToBan else { return false }
                    bans.append(
                        Ban(subject: .range(range), until: nil, reason: "", made: Ban.bySetting))
                }
                settings.core.door.bans = bans
                return true
            }, tell: { $0.core.door.bans.map { "\($0.subject)" }.joined(separator: ",") }),
    ]

    private static let patience: [Setting] = [
        .seconds("fill-seconds", \.core.deadlines.fill, "for more players, once there are enough"),
        .seconds("number-seconds", \.core.deadlines.number, "for the random numbers of a round"),
        .seconds("start-seconds", \.core.deadlines.start, "for player 1 to begin the race"),
        .seconds("turn-seconds", \.core.deadlines.turn, "for a turn"),
        .seconds("idle-seconds", \.core.deadlines.idle, "in a dash, for any move"),
        .seconds("grace-seconds", \.core.deadlines.grace, "for a player whose connection was lost"),
        .seconds("rematch-seconds", \.core.deadlines.rematch, "for a rematch once a race is over"),
        .seconds(
            "drain-seconds", \.drain, from: 0,
            "for races under way, once it is told to end; those that are not over are saved, unless nothing is kept"
        ),
    ]

    private static let operation: [Setting] = [
        Setting(
            "admin", "HOST:PORT", .operation, legal: "an address and a port, such as 127.0.0.1:9100",
            "Answers /livez, /readyz and /metrics over HTTP there; port 0 takes a free one, which the "
                + "log names. Keep it where players can't reach it.",
            take: { value, settings in
                guard let address = HostAndPort(value) else { return false }
                settings.admin = address
                return true
            }, tell: { $0.admin?.text ?? "" }),
        .text(
            "control", "PATH", \.control, .operation,
            legal: "the path of a Unix socket, of up to 107 bytes",
            "Operators speak there, with `catrace-server ctl` or `nc -NU PATH`; the verb help tells what. "
                + "Only for the user that the server runs as, and root."),
        .text(
            "audit", "FILE", \.audit, .operation, legal: "the path of a file",
            "Each act of an operator, by --control or a signal, is appended to this file as well as to the log: "
                + "when, which user and process, what, and how it went. SIGHUP opens it anew.",
            reloadable: true),
        Setting(
            "agones", "HOST:PORT", .operation, legal: "an address and a port, such as 127.0.0.1:9358",
            "Agones' helper, which is told over HTTP when this server is ready, healthy, allocated "
                + "(while a race is on) and at its end.",
            take: { value, settings in
                guard let address = HostAndPort(value) else { return false }
                settings.agones = address
                return true
            }, tell: { $0.agones?.text ?? "" }),
    ]

    private static let other: [Setting] = [
        .choice(
            "log-level", "LEVEL", \.logLevel,
            [("debug", .debug), ("info", .info), ("warning", .warning), ("error", .error)], .other,
            "debug, info, warning or error", reloadable: true),
        .choice(
            "log-format", "FORMAT", \.logFormat, [("text", .text), ("json", .json)], .other,
            "text: key=value; json: an object a line", reloadable: true),
        Setting(
            "seed", "N", .other, legal: "a whole number from 0 to \(UInt64.max)",
            "Draws everything from this number, so that a run can be repeated. For tests: nothing is "
                + "secret then.",
            take: { value, settings in
                guard value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let seed = UInt64(value)
                else { return false }
                settings.seed = seed
                return true
            }, tell: { $0.seed.map { "\($0)" } ?? "" }),
    ]
}
