import ServerRuntime

/// What `--help` prints.
enum Manual {
    static let version = "catrace-server 1.0.0\n"

    static var text: String {
        let settings = SettingGroup.allCases.map { group in
            group.rawValue + "\n" + Setting.all.filter { $0.group == group }.map(Self.entry).joined()
        }
        return ([Self.beginning] + settings + [Self.end]).joined(separator: "\n")
    }

    private static let beginning = """
        catrace-server - the game server of Cat Race

        USAGE
          catrace-server [--flag value | --flag=value]...
          catrace-server health [the same flags]
          catrace-server check [--data DIR | FILE]
          catrace-server verify --all [--data DIR | FILE]
          catrace-server backup [--data DIR] FILE
          catrace-server ctl [--control PATH] VERB ...
          catrace-server help [VERB]

        It listens on one TCP port for players with netcat or telnet, for the
        client `catrace` and for programs that speak the binary protocol. Once it
        listens, the first line on stdout is
          listening host=127.0.0.1 port=7223
        with the real port; the log goes to stderr, one event a line.

        `health` asks the server that runs with these settings whether it answers,
        at --admin if that is set, and says so by its exit status: for containers.
        Without --admin it knocks as a player does, whom a full server turns away.

        `ctl` says a line to the server that runs with --control PATH (or
        CATRACE_CONTROL) and prints the answer: `ctl who`, `ctl kick ann
        reason="..."`, `ctl ban 192.0.2.0/24 for=3600`, `ctl stop 7`, `ctl reload`.
        `ctl help` lists all; `nc -NU PATH` does as well. Each act (to look at
        something is none) leaves a line event=audit in the log, with the user
        and process that asked, at every level, and in the file of --audit if
        that is set. So do SIGHUP, SIGTERM and SIGINT.

        SETTINGS are read from a file (--config), then from the environment, then
        from flags; the last one wins. `turn-seconds = 30` in the file,
        CATRACE_TURN_SECONDS=30 in the environment and --turn-seconds 30 are the
        same. In [brackets] stands what holds when nothing is set.
          --config FILE           A `key = value` a line; # begins a comment.
          --print-config          Prints all settings, and where each came from.
          --version, --help

        """

    private static let end = """
        Who was told a result finds it again after any end of the server, kill -9
        included. While the file can't be written, races go on, their players are
        told that the result is not yet kept, and it is tried again every second.

        VERBS, for while the server runs or not; FILE of check and verify is a
        backup. Of the settings they know --data and CATRACE_DATA. They print a line
        for each fault, and one with figures
          check                 Is the file sound, can each record be read, and do
                                all standings follow from the records?
          verify --all          The same, and works out each race again: seal,
                                numbers, order, dice, moves, winner and digest
                                (not of races too long to keep their events).
          backup FILE           Writes a whole copy of one moment. To go back to it,
                                end the server, empty DIR (an old catrace.db-wal
                                would be played into the copy), and put the copy
                                there as catrace.db, owned by the server's user.

        SIGNALS
          SIGHUP                Reads file and environment again. Limits at the door,
                                --ban, how long it waits, and the log's level and
                                format change at once; the log names what changed and
                                what needs a restart. A wrong file changes nothing.
                                Certificate and key are read again, too, for new
                                connections.
          SIGTERM, SIGINT       No new races. Those under way have drain-seconds to end;
                                then they are saved, everybody is told, and the server
                                ends, within three seconds more. Who serves the same
                                data next goes on with them. A second one saves and
                                ends without waiting, a third ends at once.
          SIGUSR1               Writes one line event=census to the log, whatever its
                                level: how many connections, players, matches,
                                tickets, invites, look-ups and deadlines there are,
                                bytes that wait to be read (unread) or answered
                                (held), descriptors, and bytes of memory.

        EXIT STATUS
          0  it was told to end, and did
          1  it could not listen or use its data, or was made to end at once; or a
             verb found a fault, or no healthy server
             `ctl` was answered with an error
          2  a setting is wrong, or a file it names

        EXAMPLES
          catrace-server --host localhost --port 0
          catrace-server --host :: --turn-seconds=30 --data /var/lib/catrace
          catrace-server backup --data /var/lib/catrace catrace-monday.db
          catrace-server --host 0.0.0.0 --tls-cert race.pem --tls-key race.key
          catrace-server --proxy-port 7224 --proxy-from 127.0.0.1
          catrace-server ctl --control /run/catrace.sock say "tea at ten"

        """

    private static let column = 26
    private static let width = 78

    private static func entry(_ setting: Setting) -> String {
        let head = "  \(setting.flag)" + (setting.placeholder.map { " \($0)" } ?? "")
        let value = setting.value(in: ServerSettings())
        let lines = Self.wrapped(setting.meaning + (value.isEmpty ? "" : " [\(value)]"))
        let indent = String(repeating: " ", count: Self.column)
        if head.count >= Self.column {
            return ([head] + lines.map { indent + $0 }).joined(separator: "\n") + "\n"
        }
        let first = head + String(repeating: " ", count: Self.column - head.count) + lines[0]
        return ([first] + lines.dropFirst().map { indent + $0 }).joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= Self.width - Self.column {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
