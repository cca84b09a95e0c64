/// What `help` and `--version` print.
enum ClientManual {
    static let version = "catrace 1.0.0\n"

    static var overview: String {
        var text = "catrace - the players' client of Cat Race\n\n"
        for verb in ClientVerb.allCases {
            text += "  \(verb.usage)" + String(repeating: " ", count: max(2, 30 - verb.usage.count))
            text += "\(verb.summary)\n"
        }
        text += """

            Each verb has --connect HOST[:PORT], or the variable CATRACE_SERVER; without
            either it is localhost:7223. IPv6 with a port: [::1]:7223. With --tls nobody
            reads along, and the server must prove that it is HOST; --ca FILE names the
            authorities to trust, when they are not the system's.

            Race against two bots:      catrace play --bots 2
            Against whoever comes:      catrace play --name ann
            Run, anyone at any time:    catrace play --rule dash

            Check a race yourself:      catrace replay 7 --save race.txt
                                        catrace verify race.txt

            catrace play keeps who you are, for each server: you are that player again the
            next time. A key from elsewhere goes into CATRACE_KEY, with --name: nobody else
            on the machine sees it there, as they do on a command line.

            Ends with 0: fine; 1: the server could not be reached or was lost; 2: the
            command line or the alias was wrong; 3: a check of a race failed; 128 and the
            signal's number when a signal ended it.

            """
        return text
    }
}
