import ServerCore

/// What `help VERB` and `VERB --help` print.
enum VerbManual {
    /// - Parameter verb: one of `Options.verbs`.
    static func text(_ verb: String) -> String {
        switch verb {
        case "ctl": Self.control + ControlCommand.manual
        case "health": Self.health
        case "backup": Self.backup
        case "verify": Self.verify
        default: Self.check
        }
    }

    private static let control = """
        catrace-server ctl [--control PATH] VERB ...
        Says a line to the server that runs with --control PATH (or CATRACE_CONTROL)
        and prints the answer. Ends with 0 when it is ok, 1 when it is an error.

        VERBS

        """

    private static let health = """
        catrace-server health [the flags of the server]
        Ends with 0 when the server that runs with these settings answers, else with 1
        and a sentence. With --admin HOST:PORT it asks /livez there, which is right in
        each state; without, it connects to --port as a player does, and fails also
        while the server is full, drains, or has banned this machine.

        """

    private static let check = """
        catrace-server check [--data DIR | FILE]
        Is the file sound, can each record be read, and do all standings follow from
        the records? DIR is a server's directory, which may run meanwhile, FILE a backup.
        Without either it is the directory that CATRACE_DATA names, or ./catrace-data.
        Prints a line for each fault, and one with figures; ends with 1 if there is one.

        """

    private static let verify = """
        catrace-server verify --all [--data DIR | FILE]
        What check does, and works out each race again: seal, numbers, order, dice,
        moves, winner and digest. DIR is a server's directory, which may run meanwhile,
        FILE a backup. Without either it is the directory that CATRACE_DATA names, or
        ./catrace-data. Ends with 1 if there is a fault.

        """

    private static let backup = """
        catrace-server backup [--data DIR] FILE
        Writes a whole copy of one moment to FILE, which must not be there yet, while
        the server runs or not. Without --data it is of the directory that CATRACE_DATA
        names, or of ./catrace-data. check and verify take the copy.

        """
}
