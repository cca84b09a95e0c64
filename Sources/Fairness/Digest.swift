import CDigest
package import RaceModel

/// SHA-256, by the system's libcrypto.
package enum Digest {
    package static func sha256(_ bytes: Span<UInt8>) -> Bytes32 {
        // A buffer of no bytes may have no address; the count of 0 keeps it from being read.
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe self.filled { unsafe catrace_sha256(source.baseAddress, UInt(source.count), $0) }
        }
    }

    /// The 32 bytes that `fill` writes.
    static func filled(_ fill: (UnsafeMutablePointer<UInt8>?) -> Void) -> Bytes32 {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        unsafe output.withUnsafeMutableBufferPointer { unsafe fill($0.baseAddress) }
        return Bytes32(
            words: (
                self.word(of: digest, at: 0), self.word(of: digest, at: 8), self.word(of: digest, at: 16),
                self.word(of: digest, at: 24)
            ))
    }

    package static func sha256(_ bytes: [UInt8]) -> Bytes32 { self.sha256(bytes.span) }

    package static func sha256(_ bytes: ArraySlice<UInt8>) -> Bytes32 { self.sha256(bytes.span) }

    private static func word(of bytes: InlineArray<32, UInt8>, at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + 8 { word = word << 8 | UInt64(bytes[index]) }
        return word
    }
}
