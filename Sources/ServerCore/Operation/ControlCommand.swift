package import RaceModel
package import WireProtocol

/// A line of the control socket: the grammar of players' lines, with verbs of its own.
package enum ControlCommand: Hashable, Sendable {
    case who(prefix: String)
    case matches
    case show(MatchID)
    case kick(Whom, reason: String)
    /// - seconds: nil: for good.
    case ban(Whom, seconds: Int64?, reason: String)
    case unban(Whom)
    case bans
    case stop(MatchID, reason: String = "")
    case say(String)
    case notice(Whom, String)
    case drain
    case reload
    case logLevel(LogLine.Level)
    case stats
    /// A whole path.
    case backup(String)
    case help

    /// Whom it concerns.
    package enum Whom: Hashable, Sendable, CustomStringConvertible {
        case subject(Ban.Subject)
        /// A player, here or gone.
        case alias(Alias)

        package var description: String {
            switch self {
            case .subject(let subject): subject.description
            case .alias(let alias): alias.text
            }
        }
    }

    package enum Verb: String, CaseIterable, Sendable {
        case who, matches, show, kick, ban, unban, bans, stop, say, notice, drain, reload, loglevel, stats
        case backup, help

        /// Whether it belongs in the audit: what merely looks changes nothing, and a program that watches the server
        /// asks again and again.
        package var isAct: Bool {
            switch self {
            case .who, .matches, .show, .bans, .stats, .help: false
            case .kick, .ban, .unban, .stop, .say, .notice, .drain, .reload, .loglevel, .backup: true
            }
        }
    }

    /// A longer line is refused, in bytes without its end.
    package static let lineBytes = 1024

    package static let manual = """
        who [PREFIX]                 players who are here; with PREFIX, whose alias begins so
        matches                      matches in memory
        show MATCH                   one match, with its seats
        kick PLAYER [reason="..."]   closes a player's connection and gives up their seat
        ban WHOM [for=SECONDS] [reason="..."]
                                     keeps out an address, a range or a player, over restarts too
        unban WHOM                   lifts a ban
        bans                         all bans that hold
        stop MATCH [reason="..."]    ends a match without a result; its players are told
        say "text"                   a notice to everybody
        notice PLAYER "text"         a notice to one player
        drain                        ends the server as SIGTERM does; a second one saves and ends at once
        reload                       reads the settings again, as SIGHUP does
        loglevel LEVEL               debug, info, warning or error, until reload or the end
        stats                        the server in figures
        backup FILE                  a whole copy of what is kept; through ctl FILE is as seen from there,
                                     on the socket itself it begins with /
        help                         these lines
        PLAYER is an alias, or #7 for player 7. WHOM is a PLAYER, here or gone, or 192.0.2.7,
        192.0.2.0/24 or 2001:db8::/32.

        """

    /// Nil for an empty line and for notes.
    package static func parse(_ line: ArraySlice<UInt8>) throws(ProtocolViolation) -> ControlCommand? {
        try LineScanner.check(line)
        guard var words = try ControlWords(line) else { return nil }
        let command = try Self.read(&words)
        try words.finish()
        return command
    }

    private static func read(_ words: inout ControlWords) throws(ProtocolViolation) -> ControlCommand {
        switch words.verb {
        case .who: .who(prefix: words.optionalWord() ?? "")
        case .matches: .matches
        case .show: .show(try words.match())
        case .kick: .kick(try words.player(), reason: words.optional("reason") ?? "")
        case .ban:
            .ban(
                try words.whomToBan(), seconds: try words.seconds("for"),
                reason: words.optional("reason") ?? "")
        case .unban: .unban(try words.whom())
        case .bans: .bans
        case .stop: .stop(try words.match(), reason: words.optional("reason") ?? "")
        case .say: .say(try words.text())
        case .notice: .notice(try words.player(), try words.text())
        case .drain: .drain
        case .reload: .reload
        case .loglevel: .logLevel(try words.level())
        case .stats: .stats
        case .backup: .backup(try words.path())
        case .help: .help
        }
    }

    /// For the audit.
    package var verb: Verb {
        switch self {
        case .who: .who
        case .matches: .matches
        case .show: .show
        case .kick: .kick
        case .ban: .ban
        case .unban: .unban
        case .bans: .bans
        case .stop: .stop
        case .say: .say
        case .notice: .notice
        case .drain: .drain
        case .reload: .reload
        case .logLevel: .loglevel
        case .stats: .stats
        case .backup: .backup
        case .help: .help
        }
    }

    /// For the audit: whom or what it concerns; nil: nothing.
    package var subject: String? {
        switch self {
        case .who(let prefix): prefix.isEmpty ? nil : prefix
        case .show(let match), .stop(let match, _): "\(match.value)"
        case .kick(let whom, _), .ban(let whom, _, _), .unban(let whom), .notice(let whom, _): "\(whom)"
        case .say(let text): text
        case .logLevel(let level): "\(level)"
        case .backup(let path): path
        case .matches, .bans, .drain, .reload, .stats, .help: nil
        }
    }

    /// For the audit: how, beside the subject.
    package var details: [(key: String, value: String)] {
        switch self {
        case .kick(_, let reason), .stop(_, let reason): reason.isEmpty ? [] : [("reason", reason)]
        case .ban(_, let seconds, let reason):
            [("for", seconds.map { "\($0)" } ?? "good")] + (reason.isEmpty ? [] : [("reason", reason)])
        case .notice(_, let text): [("text", text)]
        default: []
        }
    }
}
