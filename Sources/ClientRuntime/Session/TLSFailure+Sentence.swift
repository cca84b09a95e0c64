import ClientCore
import EventLoop

extension TLSFailure {
    /// One sentence for someone whose connection could not be made: what is wrong and what to do.
    func sentence(for server: ServerAddress) -> String {
        let host = DisplayText.harmless(server.host)
        // Partly the server's words.
        let details = DisplayText.harmless(self.details)
        return switch self.reason {
        case .otherHost:
            "the certificate is for \(details.isEmpty ? "nobody" : details), not \(host): connect by the name it is "
                + "for, or to the right server"
        case .expired: "the certificate of \(host) expired on \(details): the server needs a new one"
        case .notYetValid:
            "the certificate of \(host) is valid from \(details) on: check the clock of this machine"
        case .untrusted:
            "the certificate of \(host) is not trusted: when it should be, pass its authority with --ca FILE"
        case .badCertificate: "the certificate of \(host) can't be trusted: \(details)"
        case .notTLS, .brokenOff:
            "\(server) does not speak TLS: start the server with --tls-cert, or leave --tls out"
        case .noCommonVersion: "\(server) speaks no TLS that is safe: it needs version 1.2 or 1.3"
        case .peerRefused: "\(server) refused TLS: \(details)"
        case .tooLate: "\(server) does not answer: check the address and the network"
        case .protocolError, .tooLong, .tooMuch: "\(server) breaks the rules of TLS: \(details)"
        }
    }
}
