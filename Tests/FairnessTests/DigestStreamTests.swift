import Fairness
import RaceModel
import Testing

struct DigestStreamTests {
    @Test func `fed in pieces it is the digest of the whole, and a copy goes on by itself`() {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for cut in [0, 1, 55, 56, 63, 64, 65, 4096, 10_000] {
            var stream = DigestStream()
            stream.append(Array(bytes[..<cut]))
            #expect(stream.digest == Digest.sha256(Array(bytes[..<cut])))
            var copy = stream
            stream.append(Array(bytes[cut...]))
            #expect(stream.digest == Digest.sha256(bytes))
            copy.append([1])
            #expect(copy.digest == Digest.sha256(Array(bytes[..<cut]) + [1]))
        }
    }
}
