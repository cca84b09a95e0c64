import RaceModel
import ServerCore
import Testing
import WireProtocol

/// What a connection is, by its first byte and by time.
struct DialectTests {
    @Test func `a silent connection is greeted in text after a second and not before`() {
        var script = ServerScript()
        let id = script.connect()
        script.pass(seconds: 0.999)
        #expect(script.read(id) == [])
        script.pass(seconds: 0.001)
        #expect(script.read(id).first == "hello server=catrace version=1")
        script.pass(seconds: 10)
        #expect(script.read(id) == [])
    }

    @Test func `a binary client that came late is recognised and finds its answer behind the text`() {
        var script = ServerScript()
        let id = script.connect()
        script.pass(seconds: 5)
        for byte in ServerScript.preface {
            script.pass(seconds: 0.1)
            script.send([byte], id)
        }
        let bytes = script.readBytes(id)
        #expect(bytes.starts(with: Array("hello server=catrace version=1\n".utf8)))
        #expect(Array(bytes.drop { $0 < 0x80 }) == [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0])
        script.send(.ping(7), id)
        #expect(script.readMessages(id) == [.pong(7)])
    }

    @Test func `a preface has five seconds from its first byte on`() {
        for silence in [0.0, 0.5, 30] {
            var script = ServerScript()
            let id = script.connect()
            script.pass(seconds: silence)
            script.skip(id)
            script.send([0xCA, 0x7E], id)
            script.pass(seconds: 4.999)
            #expect(!script.isClosed.contains(id))
            script.pass(seconds: 0.001)
            #expect(script.isClosed.contains(id))
            #expect(script.read(id).last?.value("reason") == "handshake")
            #expect(script.isEmpty())
        }
    }

    @Test func `who never says a name is closed a minute after the last whole message`() {
        for (first, wait) in [("", 60.0), ("who", 60), ("nonsense", 60), ("name a b c", 60)] {
            var script = ServerScript()
            let id = script.connect()
            if !first.isEmpty { script.type(first, id) }
            script.pass(seconds: wait - 0.001)
            #expect(!script.isClosed.contains(id))
            script.pass(seconds: 0.001)
            #expect(script.isClosed.contains(id), "after \(first)")
            #expect(script.read(id).last?.value("reason") == "handshake")
            #expect(script.isEmpty())
        }
    }

    @Test func `whose alias was refused while the greeting was due is still closed a minute later`() {
        var script = ServerScript()
        _ = script.join("ann")
        script.isStoreHeld = true
        let id = script.connect()
        script.type("name ann", id)
        script.pass(seconds: 2)
        script.releaseStore()
        #expect(script.read(id).errorCode == "alias-taken")
        script.pass(seconds: 61)
        #expect(script.isClosed.contains(id))
    }

    @Test func `a named player is never closed for being silent`() {
        var script = ServerScript()
        let text = script.join("ann")
        let binary = script.joinBinary("bob")
        script.pass(seconds: 100_000)
        #expect(script.isClosed.isEmpty)
        #expect(script.ask("ping 1", text) == ["pong value=1"])
        script.send(.ping(2), binary)
        #expect(script.readMessages(binary) == [.pong(2)])
    }

    @Test func `TLS is a line in the log and a close without a byte`() {
        var script = ServerScript()
        let id = script.connect()
        script.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC], id)
        #expect(script.readBytes(id) == [])
        #expect(script.isClosed.contains(id))
        #expect(script.logs.map(\.event) == ["tls-refused"])
        #expect(script.isEmpty())
    }

    @Test func `HTTP gets one line and a close, however it is cut`() {
        let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        for cut in 0..<request.count {
            var script = ServerScript()
            let id = script.connect()
            script.send(Array(request[..<cut]), id)
            script.send(Array(request[cut...]), id)
            let lines = script.read(id)
            #expect(lines.count == 1 && lines[0].hasPrefix("bye reason=violation"), "cut at \(cut): \(lines)")
            #expect(script.isClosed.contains(id))
        }
    }

    @Test func `a version that is not spoken gets one error frame that names the one that is`() {
        let offers: [(UInt16, UInt16)] =
            [(0, 0), (65535, 65535), (5, 2), (2, 65535)] + (2...9).map { ($0, $0) }
        for (lowest, highest) in offers {
            var script = ServerScript()
            let id = script.connect()
            var bytes: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0]
            for version in [lowest, highest] { bytes += [UInt8(version >> 8), UInt8(version & 255)] }
            script.send(bytes + ClientMessage.ping(1).frame, id)
            let answer = script.readBytes(id)
            #expect(answer.prefix(8) == [0xCA, 0x7E, 0xAC, 0xE0, 0, 0, 0, 0])
            let error = ErrorReply(code: .version, request: nil, text: "this server speaks version 1")
            #expect(ServerScript.messages(Array(answer.dropFirst(8))) == [.error(error)])
            #expect(script.isClosed.contains(id))
            #expect(script.logs.map(\.event) == ["version-refused"])
        }
        for (lowest, highest) in [(UInt16(0), UInt16(1)), (1, 1), (1, 65535), (0, 65535)] {
            var script = ServerScript()
            let id = script.connect()
            script.send(
                [
                    0xCA, 0x7E, 0xAC, 0xE0, UInt8(lowest >> 8), UInt8(lowest & 255), UInt8(highest >> 8),
                    UInt8(highest & 255),
                ], id)
            #expect(script.readBytes(id) == [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0])
        }
    }

    @Test func `a byte that cannot belong to a preface ends the connection with a reason`() {
        var script = ServerScript()
        let id = script.connect()
        script.send([0xCA, 0x7E, 0, 0], id)
        #expect(script.readVerbs(id) == ["error", "bye"])
        #expect(script.isClosed.contains(id))
    }

    @Test func `telnet sequences are answered where they must be and skipped otherwise`() {
        var script = ServerScript()
        let id = script.connect()
        script.send([0xFF, 0xF4, 0xFF, 0xFD, 6] + Array("ping 5\r\n".utf8), id)
        let bytes = script.readBytes(id)
        #expect(bytes.contains(0xFC))
        #expect(String(decoding: bytes, as: UTF8.self).contains("pong value=5"))
        let marked = [0xFF, 0xFA, 0x18, 0, 0x78, 0xFF, 0xF0] + Array("ping 6\r\n".utf8)
        for byte in marked { script.send([byte], id) }
        #expect(script.read(id) == ["pong value=6"])
        for junk: [UInt8] in [[0xC3], [0x80], [0xFF, 0xFF], [0xED, 0xA0, 0x80]] {
            script.send(junk + [10], id)
            #expect(script.read(id).errorCode == "not-utf8")
        }
        #expect(script.ask("ping", id) == ["pong value=0"])
    }
}
