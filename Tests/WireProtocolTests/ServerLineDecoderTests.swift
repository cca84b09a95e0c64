import RaceModel
import Testing
import WireProtocol

@Suite struct ServerLineDecoderTests {
    private func read(_ text: String) -> [Event<ServerMessage>] { Feed.serverLines([Array(text.utf8)[...]]) }

    @Test func `notes, blank lines, the greeting and unknown keys are passed over`() {
        #expect(
            self.read("hello server=catrace version=1\n# note\n\r\npong value=7 colour=red\r\n") == [
                .value(.pong(7))
            ])
        #expect(
            self.read("aliases count=1 x=\"y z\"\n# between\nalias id=9 unknown=yes more=1\n")
                == [.value(.aliases([AliasEntry(player: PlayerID(9), alias: nil)]))])
    }

    @Test func `a list is one message once its last entry came`() throws {
        for message in Samples.server {
            let line = Feed.line(message)
            var decoder = ServerLineDecoder()
            for byte in line.dropLast() {
                var input = [byte][...]
                #expect(try decoder.next(in: &input) == nil)
            }
            #expect(decoder.isInsideMessage)
            var input = line.suffix(1)
            #expect(try decoder.next(in: &input) == message)
            #expect(!decoder.isInsideMessage)
        }
    }

    @Test func `a list that breaks off is an error, and the next line is read`() {
        let pong = Event<ServerMessage>.value(.pong(7))
        #expect(
            self.read("aliases count=2\nalias id=9 unknown=yes\nbegin seconds=1\npong value=7\n")
                == [.fault(.badValue), pong])
        #expect(self.read("alias id=9 unknown=yes\npong value=7\n") == [.fault(.unknownVerb), pong])
        #expect(self.read("aliases count=65\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("found of=9\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("players page=1 of=1 count=21\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("top rule=turns page=1 of=1 count=21\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("history id=1 alias=a count=3\npong value=7\n") == [.fault(.tooMany), pong])
        #expect(self.read("aliases count=-1\npong value=7\n") == [.fault(.badValue), pong])
    }

    @Test func `wrong values are errors and never trap`() {
        let lines = [
            "moved seq=2 turn=1 player=0 by=4 at=4 auto=no", "moved seq=2 turn=1 player=9 by=4 at=4 auto=no",
            "moved seq=4294967296 turn=1 player=1 by=4 at=4 auto=no",
            "moved seq=2 turn=1 player=1 by=256 at=4 auto=no",
            "moved seq=2 turn=1 player=1 by=4 at=4 auto=maybe",
            "over seq=1 player1won=yes reason=finish nonce=00 digest=00 places=0", "order seats=0",
            "order seats=1,2,3,4,5,6,7,8,1", "gone seat=300 seconds=1", "bye reason=boredom",
        ]
        for line in lines { #expect(self.read(line + "\n") == [.fault(.badValue)], "\(line)") }
        for line in ["moved", "pong", "welcome player=1", "players of=1 count=0"] {
            let events = self.read(line + "\n")
            #expect(events == [.fault(.malformedBody)] || events == [.fault(.badValue)], "\(line)")
        }
        #expect(self.read("fireworks colour=red\n") == [.fault(.unknownVerb)])
    }

    // Found by a fuzzer: all names of all error codes do not fit into an error text.
    /// As a frame they would say that there is none.
    @Test func `the largest number of a field that may be missing is refused`() {
        let pong = Event<ServerMessage>.value(.pong(7))
        let lines = [
            "queued waiting=2 min=2 max=3 starts=65535",
            "top rule=turns page=1 of=1 count=0 own=4294967295",
        ]
        for line in lines {
            #expect(self.read("\(line)\npong value=7\n") == [.fault(.badValue), pong], "\(line)")
            let lower = line.replacing("65535", with: "65534").replacing("4294967295", with: "4294967294")
            guard case .value(let message) = self.read("\(lower)\n").first else {
                Issue.record("\(lower) can't be read")
                continue
            }
            #expect(String(decoding: Feed.line(message), as: UTF8.self) == "\(lower)\n")
        }
    }

    @Test func `the error text about an unknown name is short`() throws {
        for line in ["error code=not-your-tuin\n", "bye reason=boredom\n", "invite id=1 outcome=x alias=a\n"]
        {
            var decoder = ServerLineDecoder()
            var input = Array(line.utf8)[...]
            do throws(ProtocolViolation) {
                Issue.record("\(String(describing: try decoder.next(in: &input)))")
            } catch {
                #expect(error.text.utf8.count <= Limits.textBytes)
            }
        }
    }

    @Test func `a line over the limit is refused for ever`() {
        let line = Array(repeating: UInt8(ascii: "a"), count: Limits.frameBytes + 1)
        for size in [1, 1000, 5000] {
            #expect(Feed.serverLines(Feed.pieces(line, of: size)) == [.fault(.lineTooLong)])
        }
        let legal = line.dropLast() + Array("\n".utf8)
        #expect(Feed.serverLines([legal[...]]) == [.fault(.unknownVerb)])
    }
}
