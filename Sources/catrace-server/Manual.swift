/// What `--help` prints.
enum Manual {
    static let version = "catrace-server 1.0.0\n"

    static let text = """
        catrace-server - the game server of Cat Race

        USAGE
          catrace-server [--flag value | --flag=value]...

        It listens on one TCP port for players with netcat or telnet, for the
        client `catrace` and for programs that speak the binary protocol. Once it
        listens, the first line on stdout is
          listening host=127.0.0.1 port=7223
        with the real port; the log goes to stderr, one event a line.

        WHERE
          --host ADDRESS        IPv4 or IPv6 address to listen on, or localhost for
                                127.0.0.1 and ::1. 0.0.0.0 is every IPv4 address, ::
                                every address.                       [127.0.0.1]
          --port N              0 to 65535; 0 takes a free port.     [7223]
          --connections N       Connections at once; further ones wait until one
                                ends. `ulimit -n` must allow for them.
                                [19000, or fewer if `ulimit -n` says so]

        HOW LONG IT WAITS, in whole seconds from 1 to 86400
          --fill-seconds N      for more players, once there are enough      [10]
          --number-seconds N    for the random numbers of a round            [10]
          --start-seconds N     for player 1 to begin the race               [15]
          --turn-seconds N      for a turn                                   [20]
          --idle-seconds N      in a dash, for any move                      [60]
          --grace-seconds N     for a player whose connection was lost       [30]
          --rematch-seconds N   for a rematch once a race is over            [30]

        OTHER
          --log-level LEVEL     debug, info, warning or error                [info]
          --seed N              Draws everything from this number, so that a run
                                can be repeated. For tests: nothing is secret then.
          --version             Prints the version.
          --help                Prints this.

        SIGNALS
          SIGTERM, SIGINT       Everybody is told, and the server ends within two
                                seconds. A second one ends it at once.

        EXIT STATUS
          0  it was told to end, and did
          1  it could not listen, or was made to end at once
          2  the command line is wrong

        EXAMPLES
          catrace-server --host localhost --port 0
          catrace-server --host :: --turn-seconds=30 --log-level warning

        """
}
