import Fairness
import RaceModel

/// SHA-256 over everything that happened, folded block by block so that a long history needs no memory.
struct HistoryDigest: Sendable {
    private var block: [UInt8] = []
    private static let blockBytes = 1 << 16

    mutating func append(_ number: UInt64) {
        for shift: UInt64 in stride(from: 56, through: 0, by: -8) {
            self.block.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        self.append(UInt64(bytes.count))
        self.block.append(contentsOf: bytes)
        if self.block.count >= Self.blockBytes {
            let folded = Digest.sha256(self.block)
            self.block.removeAll(keepingCapacity: true)
            self.block.append(contentsOf: folded.bytes)
        }
    }

    var value: Bytes32 { Digest.sha256(self.block) }
}
