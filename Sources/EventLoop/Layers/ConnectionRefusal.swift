package import ProxyProtocol

/// Why the loop itself ended a connection that could not become one: it was not known to the handler, or, with
/// `tls`, it is reported by `closed` as well.
package enum ConnectionRefusal: Hashable, Sendable {
    /// It came to the proxies' port and from none of them.
    case notAProxy
    case badHeader(ProxyFault)
    case headerLate
    /// It ended before its header did.
    case headerBrokenOff
    case tls(TLSFailure)
}
