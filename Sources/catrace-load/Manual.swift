/// What `--help` prints.
enum Manual {
    static let version = "catrace-load 1.0.0\n"

    static let text = """
        catrace-load - load for the game server of Cat Race

        USAGE
          catrace-load [--flag value | --flag=value]...

        It brings as many players as asked for to a server. Each takes a name, looks
        for a race, draws a number, begins if it is player 1, moves whenever it is
        its turn, and looks for the next race, until the time is over. Every move is
        timed until ALL players of its race have been told of it. The report goes to
        stdout; while it runs, a terminal on stderr shows a line each second.

        WHERE AND HOW MANY
          --connect HOST[:PORT]   The server.                  [127.0.0.1:7223]
          --tls                   Over TLS: the server must prove that it is HOST.
          --ca FILE               Over TLS, and trust only these authorities (PEM).
                                  [the system's]
          --players N             2 to 1000000.                [100]
          --seconds N             How long is measured, once all players are
                                  there: 1 to 86400.           [10]
          --ramp-seconds S        All connect within this time, at most 128 at
                                  once.                        [a second per 2000]
          --sources ADDRESSES     Addresses to connect from, in turn: a list with
                                  commas, and ranges such as
                                  127.0.0.1-127.0.0.8.
                                  [as many of 127.0.0.x as the ports call for]

        WHAT THEY PLAY
          --rule turns|dash       [turns]
          --draw highest|sealed   [highest]
          --finish N              Where a race ends: 1 to 100000000.   [25]
          --race-size N           Players of a race: 2 to 8.   [2]
          --text-share S          The part of the players who speak the text
                                  dialect: 0 to 1. They meet the others in the
                                  same races.                  [0.2]
          --group N               Races only with players of this group; 0 is
                                  everybody, strangers too.    [a number drawn]
          --seed N                Draws the group and the players' numbers. [1]

        HOW HARD
          Closed model, without --rate: everybody plays at once, and again. It
          shows how much the server can do. A server that stalls is asked for
          less, so its worst latencies are seen too rarely.
          --rate R                Open model: R races are due each second, 0.01 to
                                  1000000, whatever the server does, and in each a
                                  move every --pace. Latency counts from the
                                  moment a move was planned for, not from when it
                                  could at last be sent. A race that finds no free
                                  players begins late, with its clock running.
          --pace MS               Between the moves of a race: 0 to 2000.
                                  [100 with --rate; otherwise 0, at once]

        ENDLESS RACES, to measure what a move costs
          --pairs N               N races of two in rule turns that go on until the
                                  time is over, in place of --players: 1 to 500000.
          --move-rate R           With --pairs, open model: R moves are due each
                                  second in all races together, 0.01 to 10000000.
          --server-pid PID        Reports the processor time and the memory of this
                                  process of this machine: the server.
          --floor                 With --pairs: the other end is Tests/Floor/relay,
                                  which answers moves without any rules. The same
                                  work here, so its figures are the floor under
                                  those of a server.

        FROM ANOTHER MACHINE
          Of addresses of its own machine a server counts nothing; of others it
          takes 32 connections, 100 new names an hour and 4 races a second each,
          unless it is started with --connections-per-address,
          --connects-per-second, --names-per-hour and --races-per-second as high as
          a load calls for.

        COMING BACK
          --drops R               R connections of players in races are cut each
                                  second, with a reset, 0 to 100000: whoever --seed
                                  picks, in whatever state the race is. They come
                                  back into their seats and play on. Moves during
                                  which one of a race's players was away are in no
                                  latency; they are counted apart.   [0]
          --away S                How long they stay away: 0 to 29 seconds; servers
                                  hold a seat for 30.          [1]

          --restarts              The server is restarted while the run goes on.
                                  Whoever loses the connection comes back, waiting
                                  longer from attempt to attempt, with the key and
                                  into the seat. Connects that were refused
                                  meanwhile are counted; lost seats and races are
                                  errors. It needs a server that keeps its players.

        OTHER
          --json FILE             Writes the whole report there as JSON.
          --version               Prints the version.
          --help                  Prints this.

        WHAT COUNTS AS AN ERROR
          Connections that fail (by errno) or are lost; what this machine had no
          more of (a client-side limit); errors, goodbyes and warnings of the
          server; bytes that are no message; moves someone was not told of within
          5 s; players of one race who were told different things; one race in ten
          is checked against its opened seal; moves the server made for a player;
          forfeits; seats that were not held for players who came back, and events
          they were not told of, or twice; races that were due and never found free
          players. Errors are counted by kind and are part of no latency.
          That the server's store was slow or could not be written to is none: how
          often players were told so is results-not-kept in the report.

        SIGNALS
          SIGINT, SIGTERM         Ends the run as if its time were over, with its
                                  report. A second one ends it at once.

        EXIT STATUS
          0  races were played, and nothing was lost or went wrong
          1  something did, or no race was finished
          2  the command line is wrong, or this machine can't do what it asks

        EXAMPLES
          catrace-load --players 1000 --seconds 30
          catrace-load --connect localhost:7223 --rate 200 --players 2000 --json out.json

        """
}
