package import RaceModel

extension PlayerKey {
    /// SHA-256 of the key's 16 bytes: all that is ever kept of a key. The key has 128 random bits, so no salt
    /// is needed.
    package var digest: Bytes32 {
        var bytes = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<8 {
            let shift = UInt64(56 - 8 * index)
            bytes[index] = UInt8(truncatingIfNeeded: self.high >> shift)
            bytes[8 + index] = UInt8(truncatingIfNeeded: self.low >> shift)
        }
        return Digest.sha256(bytes.span)
    }
}
