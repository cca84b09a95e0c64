import Testing

@testable import EventLoop

/// A blocking TLS client over a `Peer`, which can also misbehave.
final class TLSPeer {
    let peer: Peer
    private let stream: TLSStream
    private var output = TLSOutput()
    private var input: ArraySlice<UInt8> = []
    private var room = [UInt8](repeating: 0, count: 16 * 1024)

    struct Failed: Error {
        var failure: TLSFailure
    }

    init(port: UInt16, host: String = "localhost") throws {
        self.peer = try Peer(port: port)
        self.stream = try Self.stream(host: host)
    }

    static func stream(host: String = "localhost") throws -> TLSStream {
        try #require(TLSStream(connecting: try TLSContext(Certificates.authority()), host: host))
    }

    /// What is to be sent now.
    func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        if !self.output.isEmpty {
            self.output.take { span in bytes = span.indices.map { span[$0] } }
        }
        return bytes
    }

    /// A step with what has come; nil: it is done.
    func step() throws -> [UInt8]? {
        let step = self.stream.handshake(&self.input, &self.output)
        if case .failed(let failure) = step { throw Failed(failure: failure) }
        let bytes = self.takeOutput()
        guard case .done = step else { return bytes }
        try self.peer.send(bytes)
        return nil
    }

    func shakeHands() throws {
        while let bytes = try self.step() {
            try self.peer.send(bytes)
            try self.receive()
        }
    }

    func receive() throws {
        let bytes = try self.peer.read()
        guard !bytes.isEmpty else { throw Failed(failure: TLSFailure(.brokenOff)) }
        self.input += bytes
    }

    func encrypted(_ bytes: [UInt8]) -> [UInt8] {
        _ = self.stream.write(bytes.span, &self.output)
        return self.takeOutput()
    }

    func send(_ text: String) throws { try self.peer.send(self.encrypted(Array(text.utf8))) }

    /// Says that nothing more comes, in TLS only.
    func sayEnd() throws {
        self.stream.close(&self.output)
        try self.peer.send(self.takeOutput())
    }

    /// Some plaintext; nil: the server closed in order.
    func read() throws -> [UInt8]? {
        while true {
            switch self.stream.read(&self.input, into: &self.room, &self.output) {
            case .bytes(let count): return Array(self.room[..<count])
            case .ended: return nil
            case .failed(let failure): throw Failed(failure: failure)
            case .more: try self.receive()
            }
        }
    }

    func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let more = try self.read() { bytes += more }
        return bytes
    }
}
