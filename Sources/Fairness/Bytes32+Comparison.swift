package import RaceModel

extension Bytes32 {
    /// Equality that takes equally long wherever the two differ: for digests of secrets.
    package func equalsInConstantTime(_ other: Bytes32) -> Bool {
        let difference =
            (self.words.0 ^ other.words.0) | (self.words.1 ^ other.words.1) | (self.words.2 ^ other.words.2)
            | (self.words.3 ^ other.words.3)
        return difference == 0
    }
}
