import Glibc

/// Whole small files, read up to a limit and written in one step.
enum FileBytes {
    struct Fault: Error, Hashable {
        /// The system's words.
        var reason: String
        var exists = false
    }

    /// What the last call of the system failed for.
    static func reason() -> String {
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return unsafe String(cString: text)
    }

    /// - Parameter path: of a file; `-` is standard input.
    static func read(_ path: String, most: Int) throws(Fault) -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Fault(reason: self.reason()) }
        defer { if file != STDIN_FILENO { close(file) } }
        errno = 0
        guard let bytes = self.read(file, most: most) else {
            throw Fault(reason: errno == 0 ? "it has more than \(most) bytes" : self.reason())
        }
        return bytes
    }

    /// Nil when it can't be read or has more bytes than that.
    static func read(_ file: Int32, most: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress, $0.count)
            }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            guard bytes.count + count <= most else { return nil }
            bytes += buffer[..<count]
        }
    }

    /// The file is there whole or not at all, whatever happens meanwhile.
    ///
    /// - Parameter replaces: whether a file of that name gives way; otherwise that is a fault.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t, replaces: Bool) throws(Fault) {
        let draft = "\(path).\(getpid()).new"
        _ = unsafe unlink(draft)
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw Fault(reason: self.reason()) }
        var fault: Fault?
        if !StandardStreams.write(bytes, to: file) || fsync(file) != 0 {
            fault = Fault(reason: self.reason())
        }
        close(file)
        if fault == nil {
            if replaces {
                if unsafe rename(draft, path) != 0 { fault = Fault(reason: self.reason()) }
            } else if unsafe link(draft, path) != 0 {
                fault = Fault(reason: self.reason(), exists: errno == EEXIST)
            }
        }
        if fault != nil || !replaces { _ = unsafe unlink(draft) }
        if let fault { throw fault }
    }
}
