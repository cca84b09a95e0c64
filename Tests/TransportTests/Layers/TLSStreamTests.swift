import RaceModel
import Testing

@testable import EventLoop

extension TransportTests {
    /// Both sides in memory, without a socket.
    @Suite struct TLSStreamTests {
        /// The two ends of one connection. What one says is fed to the other in pieces of this size.
        private final class Pair {
            let client: TLSStream
            let server: TLSStream
            var output = TLSOutput()

            init() throws {
                self.client = try TLSPeer.stream()
                self.server = TLSStream(accepting: try TLSContext(Certificates.identity()))
            }

            func taken() -> [UInt8] {
                var bytes: [UInt8] = []
                if !self.output.isEmpty { self.output.take { span in bytes = span.indices.map { span[$0] } } }
                return bytes
            }

            func hello() -> [UInt8] {
                var nothing: ArraySlice<UInt8> = []
                _ = self.client.handshake(&nothing, &self.output)
                return self.taken()
            }

            /// Feeds one side, cut before each of these places, and returns what it says.
            func feed(_ stream: TLSStream, _ bytes: [UInt8], cuts: [Int]) -> [UInt8] {
                var start = 0
                for end in cuts + [bytes.count] where end >= start {
                    var piece = bytes[start..<end]
                    if !stream.isStanding { _ = stream.handshake(&piece, &self.output) }
                    start = end
                }
                return self.taken()
            }
        }

        @Test func `a handshake is done wherever its messages are cut`() throws {
            let first = try Pair()
            let count = first.hello().count
            #expect(count > 150)
            for cut in 0...count {
                let pair = try Pair()
                let answer = pair.feed(pair.server, pair.hello(), cuts: [cut])
                #expect(answer.count > 500 && !pair.server.isStanding)
                let finish = pair.feed(pair.client, answer, cuts: [cut * 3 % answer.count])
                #expect(pair.client.isStanding)
                _ = pair.feed(pair.server, finish, cuts: [cut % finish.count])
                #expect(pair.server.isStanding, "cut at \(cut)")
            }
        }

        @Test func `fed byte by byte, handshake and text come whole`() throws {
            let pair = try Pair()
            let hello = pair.hello()
            let answer = pair.feed(pair.server, hello, cuts: Array(hello.indices))
            let finish = pair.feed(pair.client, answer, cuts: Array(answer.indices))
            _ = pair.feed(pair.server, finish, cuts: Array(finish.indices))
            #expect(pair.server.isStanding)
            let text = Array("name ann\n".utf8)
            #expect(pair.client.write(text.span, &pair.output))
            let record = pair.taken()
            var room = [UInt8](repeating: 0, count: 100)
            for (index, byte) in record.enumerated() {
                var piece = [byte][...]
                let reading = pair.server.read(&piece, into: &room, &pair.output)
                if case .bytes(let count) = reading {
                    #expect(index == record.count - 1 && Array(room[..<count]) == text)
                } else {
                    #expect(index < record.count - 1)
                }
            }
        }

        @Test func `no mutated byte traps, in the handshake or behind it`() throws {
            let seed: UInt64 = 7_223
            print("seed \(seed)")
            var generator = SeededGenerator(seed: seed)
            func mutate(_ bytes: [UInt8]) -> [UInt8] {
                var bytes = bytes
                for _ in 0...generator.next() % 3 {
                    let place = Int(generator.next() % UInt64(bytes.count))
                    bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
                return bytes
            }
            var failures = 0
            for _ in 0..<300 {
                let pair = try Pair()
                var hello = mutate(pair.hello())[...]
                if case .failed = pair.server.handshake(&hello, &pair.output) { failures += 1 }
                _ = pair.taken()
            }
            #expect(failures > 50)
            var room = [UInt8](repeating: 0, count: 100)
            for _ in 0..<100 {
                let pair = try Pair()
                let answer = pair.feed(pair.server, pair.hello(), cuts: [])
                _ = pair.feed(pair.server, pair.feed(pair.client, answer, cuts: []), cuts: [])
                _ = pair.client.write([1, 2, 3].span, &pair.output)
                let record = pair.taken()
                var input = mutate(record)[...]
                let isSame = Array(input) == record
                let reading = pair.server.read(&input, into: &room, &pair.output)
                if case .bytes = reading { #expect(isSame, "what was changed on the way must not be read") }
            }
        }

        @Test func `a certificate that can't be used is refused by what is wrong with it`() throws {
            func fault(_ certificate: String, _ key: String) throws -> TLSSetupFault? {
                let files = try [certificate, key].map {
                    try SmallFile.contents(of: Certificates.folder + $0)
                }
                do throws(TLSSetupFault) {
                    _ = try TLSIdentity(certificate: files[0], key: files[1])
                    return nil
                } catch {
                    return error
                }
            }
            #expect(try fault("localhost.pem", "localhost.key") == nil)
            #expect(try fault("localhost.pem", "other.key") == .mismatch)
            #expect(try fault("localhost.key", "localhost.key") == .noCertificate)
            #expect(try fault("localhost.pem", "localhost.pem") == .noKey)
            #expect(try fault("localhost.pem", "locked.key") == .keyEncrypted)
            #expect(throws: TLSSetupFault.noAuthority) { try TLSContext(.authorities(Array("x".utf8))) }
            #expect(throws: TLSSetupFault.noAuthority) { try TLSContext(.authorities([])) }
        }
    }
}
