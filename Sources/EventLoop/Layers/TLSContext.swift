import CTLS

/// A server's certificate with the chain behind it, and its key, both as PEM.
package struct TLSIdentity: Hashable, Sendable {
    let certificate: [UInt8]
    let key: [UInt8]

    /// Throws when they can't be used, or are not each other's.
    package init(certificate: [UInt8], key: [UInt8]) throws(TLSSetupFault) {
        self.certificate = certificate
        self.key = key
        _ = try TLSContext(self)
    }
}

/// Whom a client trusts.
package enum TLSTrust: Hashable, Sendable {
    case system
    /// These authorities only, as PEM.
    case authorities([UInt8])
}

/// What all connections of one side have in common. Connections made from it outlive it. Each loop has its
/// own, so that no two threads share one.
@safe package final class TLSContext {
    let pointer: OpaquePointer

    package init(_ identity: TLSIdentity) throws(TLSSetupFault) {
        var fault: Int32 = 0
        let pointer = unsafe identity.certificate.withUnsafeBufferPointer { certificate in
            unsafe identity.key.withUnsafeBufferPointer { key in
                unsafe catrace_tls_server(
                    certificate.baseAddress, UInt(certificate.count), key.baseAddress, UInt(key.count), &fault
                )
            }
        }
        guard let pointer = unsafe pointer else { throw TLSSetupFault(fault) }
        unsafe self.pointer = pointer
    }

    /// Reads the system's authorities, if it is to trust them.
    package init(_ trust: TLSTrust) throws(TLSSetupFault) {
        var fault: Int32 = 0
        let pointer: OpaquePointer?
        switch trust {
        case .system: unsafe pointer = catrace_tls_client(nil, 0, &fault)
        case .authorities(let pem):
            guard !pem.isEmpty else { throw .noAuthority }
            unsafe pointer = pem.withUnsafeBufferPointer {
                unsafe catrace_tls_client($0.baseAddress, UInt($0.count), &fault)
            }
        }
        guard let pointer = unsafe pointer else { throw TLSSetupFault(fault) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe catrace_tls_context_free(self.pointer) }
}
