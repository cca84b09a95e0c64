import Fairness
import RaceModel
import Testing

/// The values come from Python's hashlib.
struct DigestTests {
    @Test func `SHA-256 gives the published values`() {
        #expect(hex(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(Digest.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = [UInt8](repeating: 0x61, count: 1000)
        #expect(
            hex(Digest.sha256(long)) == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
    }

    @Test func `a slice is hashed from its own start to its own end`() {
        let bytes = Array("xxabcyy".utf8)
        #expect(Digest.sha256(bytes[2..<5]) == Digest.sha256(Array("abc".utf8)))
        #expect(Digest.sha256(bytes[3..<3]) == Digest.sha256([]))
    }

    @Test func `a player's key is kept as the SHA-256 of its sixteen bytes`() {
        let key = PlayerKey(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
        #expect(hex(key.digest) == "411d3f1d2390ff3f482ac8df4e730780bb081a192f283d2f373138fd101dc8fe")
    }

    @Test func `the constant-time comparison sees every single bit`() throws {
        let original = Digest.sha256([1, 2, 3])
        #expect(original.equalsInConstantTime(original))
        for bit in 0..<256 {
            var bytes = original.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = try #require(Bytes32(bytes))
            #expect(!original.equalsInConstantTime(changed), "bit \(bit)")
        }
    }
}

func hex(_ value: Bytes32) -> String {
    let digits = Array("0123456789abcdef")
    return String(value.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
