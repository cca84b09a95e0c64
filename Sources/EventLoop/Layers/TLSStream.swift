import CTLS
import RaceModel

/// Ciphertext to be sent: filled by a call of a stream, sent and cleared behind it. One for a whole loop.
@safe struct TLSOutput: ~Copyable {
    fileprivate var raw = unsafe catrace_tls_output(bytes: nil, count: 0, room: 0)
    /// Memory kept for the next call, in bytes.
    private static let kept: UInt = 64 * 1024

    var isEmpty: Bool { unsafe self.raw.count == 0 }

    /// Hands the bytes over and forgets them.
    mutating func take(_ body: (Span<UInt8>) -> Void) {
        unsafe body(
            Span(_unsafeStart: UnsafePointer(self.raw.bytes!), count: Int(self.raw.count)))
        unsafe catrace_tls_output_clear(&self.raw, Self.kept)
    }

    deinit {
        var raw = unsafe self.raw
        unsafe catrace_tls_output_clear(&raw, 0)
    }
}

/// TLS on one connection: ciphertext in, plaintext out, and back. It keeps no buffers while it is idle.
@safe final class TLSStream {
    enum Step {
        case done, more
        case failed(TLSFailure)
    }

    enum Reading {
        case bytes(Int)
        case more
        /// The peer closed in order: it says no more.
        case ended
        case failed(TLSFailure)
    }

    /// Nil: a server's that waits for the first record.
    private var pointer: OpaquePointer?
    private let context: TLSContext
    let isServer: Bool
    /// What came of the first record. The library would hold tens of kilobytes for who begins and does not
    /// go on.
    private var opening: [UInt8] = []
    /// The handshake is done.
    private(set) var isStanding = false
    /// What the peer sent for the handshake, in bytes.
    private(set) var handshakeBytes = 0
    /// Plaintext to be sent as soon as it stands and is not held.
    private(set) var early: [UInt8] = []
    /// Of `early`, what goes ahead of the rest.
    private var aheadBytes = 0
    /// It is closed once that is sent.
    var isClosing = false

    private static let lateRecords = UInt32(Limits.tlsLateRecords)

    func keep(_ bytes: Span<UInt8>, ahead: Bool) {
        let more = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        guard ahead else { return self.early.append(contentsOf: more) }
        self.early.insert(contentsOf: more, at: self.aheadBytes)
        self.aheadBytes += more.count
    }

    func takeEarly() -> [UInt8] {
        defer { (self.early, self.aheadBytes) = ([], 0) }
        return self.early
    }

    init(accepting context: TLSContext) {
        self.context = context
        self.isServer = true
    }

    /// Nil: no memory, or a host that can be none.
    init?(connecting context: TLSContext, host: String) {
        guard let pointer = unsafe catrace_tls_connecting(context.pointer, Self.lateRecords, host) else {
            return nil
        }
        unsafe self.pointer = pointer
        self.context = context
        self.isServer = false
    }

    deinit { if let pointer = unsafe self.pointer { unsafe catrace_tls_free(pointer) } }

    func handshake(_ input: inout ArraySlice<UInt8>, _ output: inout TLSOutput) -> Step {
        if unsafe self.pointer == nil {
            self.opening += input
            guard Self.isDecided(self.opening) else {
                self.handshakeBytes += input.count
                input = []
                return .more
            }
            unsafe self.pointer = catrace_tls_accepting(self.context.pointer, Self.lateRecords)
            input = self.opening[...]
            self.handshakeBytes = 0
            self.opening = []
        }
        guard let pointer = unsafe self.pointer else {
            return .failed(TLSFailure(.protocolError, details: "no memory"))
        }
        return unsafe self.step(pointer, &input, &output)
    }

    /// The first record is whole, or can't be one.
    private static func isDecided(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 5, bytes[1] == 3 else { return bytes.count > 1 && bytes[1] != 3 }
        return bytes.count >= 5 + (Int(bytes[3]) << 8 | Int(bytes[4]))
    }

    private func step(
        _ pointer: OpaquePointer, _ input: inout ArraySlice<UInt8>, _ output: inout TLSOutput
    ) -> Step {
        var taken: UInt = 0
        let result = unsafe input.withUnsafeBufferPointer {
            unsafe catrace_tls_handshake(
                pointer, $0.baseAddress, UInt($0.count), &taken, &output.raw)
        }
        self.handshakeBytes += Int(taken)
        input = input.dropFirst(Int(taken))
        switch result {
        case catrace_tls_done:
            self.isStanding = true
            return .done
        case catrace_tls_more: return .more
        default: return .failed(self.failure)
        }
    }

    /// Decrypts what there is into `room`, as much as goes in.
    func read(_ input: inout ArraySlice<UInt8>, into room: inout [UInt8], _ output: inout TLSOutput)
        -> Reading
    {
        guard let pointer = unsafe self.pointer else { return .more }
        var taken: UInt = 0
        let result = unsafe input.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBytes {
                unsafe catrace_tls_read(
                    pointer, input.baseAddress, UInt(input.count), &taken, $0.baseAddress,
                    UInt($0.count), &output.raw)
            }
        }
        input = input.dropFirst(Int(taken))
        switch result {
        case catrace_tls_more: return .more
        case catrace_tls_ended: return .ended
        case catrace_tls_failed: return .failed(self.failure)
        default: return .bytes(result)
        }
    }

    /// Encrypts all of it; false: it can't.
    func write(_ bytes: Span<UInt8>, _ output: inout TLSOutput) -> Bool {
        guard let pointer = unsafe self.pointer else { return false }
        return unsafe bytes.withUnsafeBytes {
            unsafe catrace_tls_write(pointer, $0.baseAddress, UInt($0.count), &output.raw)
        }
    }

    /// Says that nothing more comes.
    func close(_ output: inout TLSOutput) {
        if let pointer = unsafe self.pointer { unsafe catrace_tls_close(pointer, &output.raw) }
    }

    private var failure: TLSFailure {
        guard let pointer = unsafe self.pointer else { return TLSFailure(.protocolError) }
        return TLSFailure(
            fault: unsafe catrace_tls_fault(pointer),
            details: unsafe String(cString: catrace_tls_details(pointer)))
    }
}
