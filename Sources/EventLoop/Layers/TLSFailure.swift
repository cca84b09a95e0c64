import CTLS

/// Why a connection can't go on over TLS.
package struct TLSFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        // What is wrong with the peer's certificate.
        case otherHost, expired, notYetValid, untrusted, badCertificate
        /// The peer speaks something else.
        case notTLS
        case noCommonVersion
        /// The peer found something wrong, and said so.
        case peerRefused
        case protocolError
        /// The handshake was not done in time, or took too many bytes.
        case tooLate, tooLong
        /// Behind it came too many others, or new keys too often.
        case tooMuch
        /// The connection ended in the middle of the handshake.
        case brokenOff
    }

    package var reason: Reason
    /// The names a certificate is for, the day it expired on, or what the library says. Partly the peer's
    /// words: to be escaped where it is shown.
    package var details: String

    package init(_ reason: Reason, details: String = "") {
        self.reason = reason
        self.details = details
    }

    init(fault: Int32, details: String) {
        self.details = details
        self.reason =
            switch fault {
            case catrace_tls_other_host: .otherHost
            case catrace_tls_expired: .expired
            case catrace_tls_not_yet_valid: .notYetValid
            case catrace_tls_untrusted: .untrusted
            case catrace_tls_bad_certificate: .badCertificate
            case catrace_tls_not_tls: .notTLS
            case catrace_tls_no_common_version: .noCommonVersion
            case catrace_tls_peer_refused: .peerRefused
            case catrace_tls_too_much: .tooMuch
            default: .protocolError
            }
    }
}

/// Why certificate, key or authorities can't be used.
package enum TLSSetupFault: Error, Hashable, Sendable {
    case noCertificate, noKey, keyEncrypted, mismatch, certificateRefused, noAuthority, noMemory

    init(_ fault: Int32) {
        self =
            switch fault {
            case catrace_tls_no_certificate: .noCertificate
            case catrace_tls_no_key: .noKey
            case catrace_tls_key_encrypted: .keyEncrypted
            case catrace_tls_mismatch: .mismatch
            case catrace_tls_certificate_refused: .certificateRefused
            case catrace_tls_no_authority: .noAuthority
            default: .noMemory
            }
    }
}
