import Glibc

/// The world's fault: a system call that failed. Handled by whoever runs the loop, never shown to a peer.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Call: String, Sendable {
        case resolve, socket, bind, listen, accept, connect, epoll
    }

    package var call: Call
    /// An errno; of `resolve`, 0 for "no such address" or a negative EAI code.
    package var code: Int32

    package init(call: Call, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(self.call.rawValue): " + (self.call == .resolve ? "no such address" : Self.text(of: self.code))
    }

    /// One sentence for the operator of a server that can't listen: what is wrong and what to do.
    package func listenSentence(host: String, port: UInt16) -> String {
        switch (self.call, self.code) {
        case (.resolve, _):
            "can't listen on '\(Self.printable(host))': it is no IP address; give an IPv4 or IPv6 address of this "
                + "machine, or localhost"
        case (.bind, EADDRINUSE), (.listen, EADDRINUSE):
            "port \(port) on \(Self.printable(host)) is taken: stop what listens there, or choose another port "
                + "(0 takes a free one)"
        case (.bind, EACCES), (.bind, EPERM):
            "no right to listen on port \(port) of \(Self.printable(host)): choose a port from 1024 on"
        case (.bind, EADDRNOTAVAIL), (.socket, EAFNOSUPPORT), (.bind, EAFNOSUPPORT):
            "\(Self.printable(host)) is not an address of this machine: choose one that is, or 0.0.0.0 for all"
        default:
            "can't listen on port \(port) of \(Self.printable(host)): \(self)"
        }
    }

    /// One sentence for someone whose connection could not be made.
    package func connectSentence(host: String, port: UInt16) -> String {
        switch (self.call, self.code) {
        case (.resolve, _): "no host '\(Self.printable(host))' is known: check the name"
        case (.connect, ECONNREFUSED):
            "nobody listens on port \(port) of \(Self.printable(host)): check the port, or start the server"
        case (.connect, ETIMEDOUT), (.connect, EHOSTUNREACH), (.connect, ENETUNREACH):
            "\(Self.printable(host)) can't be reached: check the address and the network"
        case (.socket, EMFILE), (.socket, ENFILE):
            "this process has no descriptor left for another connection: raise `ulimit -n`"
        case (.connect, EADDRNOTAVAIL), (.bind, EADDRNOTAVAIL):
            "no local port is left for another connection to \(Self.printable(host)): use more local addresses"
        default: "can't connect to port \(port) of \(Self.printable(host)): \(self)"
        }
    }

    private static func printable(_ host: String) -> String {
        String(
            String.UnicodeScalarView(
                host.unicodeScalars.prefix(100).map { $0.isASCII && $0.value > 31 ? $0 : "?" }))
    }

    private static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
