import ProxyProtocol
import RaceModel
import Testing

@Suite struct ProxyHeaderTests {
    /// Fed in pieces that end at these places. What is behind the header comes back.
    private func decode(_ bytes: [UInt8], cuts: [Int] = []) throws(ProxyFault) -> (ProxyHeader, [UInt8])? {
        var decoder = ProxyHeaderDecoder()
        var start = 0
        for end in cuts + [bytes.count] {
            var piece = bytes[start..<end]
            if let header = try decoder.next(in: &piece) { return (header, Array(piece) + bytes[end...]) }
            #expect(piece.isEmpty)
            start = end
        }
        return nil
    }

    private func fault(_ bytes: [UInt8]) -> ProxyFault? {
        do throws(ProxyFault) {
            _ = try self.decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func fault(_ line: String) -> ProxyFault? { self.fault(Array(line.utf8)) }

    @Test func `every right header is read, and not a byte behind it`() throws {
        for (bytes, header) in Headers.right {
            let read = try #require(try self.decode(bytes + [0x16, 0xCA]))
            #expect(read.0 == header, "\(bytes)")
            #expect(read.1 == [0x16, 0xCA])
        }
        #expect(Headers.right.contains { $0.0.count == Limits.proxyLineBytes })
        #expect(Headers.right.contains { $0.0.count == Limits.proxyHeaderBytes })
    }

    @Test func `a header means the same wherever it is cut, and needs its last byte`() throws {
        for (bytes, header) in Headers.right {
            for cut in bytes.indices {
                let read = try #require(try self.decode(bytes + [7], cuts: [cut]))
                #expect(read.0 == header && read.1 == [7], "cut at \(cut)")
                #expect(try self.decode(Array(bytes[..<cut])) == nil)
            }
            let read = try #require(try self.decode(bytes + [7], cuts: Array(1...bytes.count)))
            #expect(read.0 == header && read.1 == [7])
        }
    }

    @Test func `what is no header is refused at its first wrong byte`() {
        for text in ["name ann\n", "GET / HTTP/1.1\r\n", "\u{16}", "PROXYTCP4", "proxy TCP4", "P ", "\n"] {
            #expect(self.fault(text) == .noHeader, "\(text)")
        }
        for place in 1..<Headers.signature.count {
            var bytes = Array(Headers.signature[...place])
            bytes[place] ^= 1
            #expect(self.fault(bytes) == .noHeader)
        }
    }

    @Test func `a line that is not exactly in its form is refused`() {
        for line in [
            "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n",
            "PROXY  TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY TCP4 1.2.3.4  1.2.3.4 1 2\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 \r\n", "PROXY TCP4 01.2.3.4 1.2.3.4 1 2\r\n",
            "PROXY TCP4 1.2.3.256 1.2.3.4 1 2\r\n", "PROXY TCP4 1.2.3 1.2.3.4 1 2\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.x 1 2\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 1 02\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 -1 2\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 99999999999999999999 2\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY TCP6 ::1 :: 1 x\r\n",
            "PROXY TCP6 ::1::2 ::1 1 2\r\n",
            "PROXY TCP5 ::1 ::1 1 2\r\n", "PROXY unknown\r\n", "PROXY \r\n", "PROXY TCP4\r\n",
            "PROXY UNKNOWN\n", "PROXY UNKNOWN\r\r\n", "PROXY UNKNOWN\rx",
        ] {
            #expect(self.fault(line) == .badLine, "\(line)")
        }
        #expect(self.fault("PROXY UNKNOWN " + String(repeating: "f", count: 93)) == .lineTooLong)
    }

    @Test func `a binary header of another kind is refused by what is wrong with it`() {
        for (bytes, fault) in [
            (Headers.binary(0x11, 0x11, Headers.ipv4), ProxyFault.badVersion),
            (Headers.binary(0x31, 0x11, Headers.ipv4), .badVersion),
            (Headers.binary(0x22, 0x11, Headers.ipv4), .badCommand),
            (Headers.binary(0x2F, 0x11, Headers.ipv4), .badCommand),
            (Headers.binary(Array(repeating: 0, count: 521)), .headerTooLong),
            (Headers.signature + [0x20, 0, 0xFF, 0xFF], .headerTooLong),
            (Headers.binary([1, 2, 3]), .tooShort), (Headers.binary([]), .tooShort),
            (Headers.binary(0x21, 0x21, Headers.ipv4), .tooShort),
            (Headers.binary(0x21, 0x31, Array(repeating: 0, count: 216)), .unixSocket),
            (Headers.binary(0x21, 0x12, Headers.ipv4), .datagram),
            (Headers.binary(0x21, 0x13, Headers.ipv4), .badFamily),
            (Headers.binary(0x21, 0x41, Headers.ipv4), .badFamily),
            (Headers.binary(Headers.ipv4 + [0x04]), .badField),
            (Headers.binary(Headers.ipv4 + [0x04, 0, 1]), .badField),
            (Headers.binary(Headers.ipv4 + Headers.field(4, [1]) + [0x20, 0xFF, 0xFF, 1]), .badField),
        ] {
            #expect(self.fault(bytes) == fault, "\(bytes)")
        }
        #expect(Set(ProxyFault.allCases.map(\.text)).count == ProxyFault.allCases.count)
    }

    @Test func `no mutated header traps, and none is kept for longer than the limit`() throws {
        let seed: UInt64 = 20_261
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Headers.right[Int(generator.next() % UInt64(Headers.right.count))].0
            for _ in 0...generator.next() % 4 {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                case 1: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            bytes += Array(repeating: 0, count: Limits.proxyHeaderBytes)
            var decoder = ProxyHeaderDecoder()
            var input = bytes[...]
            // A fault or a header: so many bytes never leave it waiting.
            do throws(ProxyFault) {
                #expect(try decoder.next(in: &input) != nil)
            } catch {
                #expect(!error.text.isEmpty)
            }
        }
    }
}
