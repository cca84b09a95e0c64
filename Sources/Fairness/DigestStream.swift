import CDigest
package import RaceModel

/// SHA-256 of what comes piece by piece, in bounded memory. A value: a copy goes on by itself.
package struct DigestStream: Sendable {
    private var state = catrace_sha256_state()

    package init() { unsafe catrace_sha256_begin(&self.state) }

    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe catrace_sha256_feed(&self.state, $0.baseAddress, UInt($0.count))
        }
    }

    /// Of all that was appended so far; more may follow.
    package var digest: Bytes32 {
        var copy = self.state
        return unsafe Digest.filled { unsafe catrace_sha256_end(&copy, $0) }
    }
}
