import Glibc
import RaceModel
import Testing

/// A blocking client socket, as a player's program might have it. Every wait ends after thirty seconds at most.
final class Peer {
    let descriptor: Int32
    /// For each wait, unless a test says otherwise; in seconds.
    static let patience = 30.0

    /// Throws the errno of the call that failed.
    struct Failure: Error, Equatable { var code: Int32 }

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        // Programs of other tests must not hold it open.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        self.descriptor = descriptor
        self.setTimeout(seconds: Self.patience)
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        var one: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    deinit { close(self.descriptor) }

    func setTimeout(seconds: Double) {
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - Double(Int(seconds))) * 1_000_000))
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        unsafe setsockopt(self.descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) throws { try self.send(Array(text.utf8)) }

    /// One read: empty at the end of the stream.
    func read(upTo room: Int = 65536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: room)
        let count = unsafe recv(self.descriptor, &buffer, room, 0)
        guard count >= 0 else { throw Failure(code: errno) }
        return Array(buffer[..<count])
    }

    func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            // A buffer for all that is missing would be made anew for each of thousands of small pieces.
            let more = try self.read(upTo: min(count - bytes.count, 65536))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try self.read()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    func endOutput() { shutdown(self.descriptor, Int32(SHUT_WR)) }

    /// The close that follows sends a reset.
    func makeAbortive() {
        var value = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            self.descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Descriptors this process, or another, has open.
func openDescriptors(of process: String = "self") -> Int { directoryEntries("/proc/\(process)/fd").count }

func directoryEntries(_ path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

func contents(of path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        if count <= 0 { return text(bytes) }
        bytes += buffer[..<count]
    }
}

/// A thread for a blocking script beside the test's own; it has to be joined, once.
final class Script: Sendable {
    private let thread: pthread_t
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    init(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        unsafe pthread_create(
            &thread, nil,
            { body in
                if let body = unsafe body {
                    unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                }
                return nil
            }, body)
        self.thread = thread
    }

    func join() { pthread_join(self.thread, nil) }
}

/// A listening socket that a child inherits, and its port.
func listener() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            guard unsafe bind(descriptor, address, size) == 0, listen(descriptor, 64) == 0 else {
                return Int32(-1)
            }
            return unsafe getsockname(descriptor, address, &size)
        }
    }
    try #require(result == 0)
    return (descriptor, UInt16(bigEndian: address.sin_port))
}
