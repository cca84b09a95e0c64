import Glibc

extension SettingsFile {
    /// The text of a file, at most `mostBytes` of UTF-8.
    package static func read(_ path: String) throws(SettingFault) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SettingFault("\(path) can't be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe Glibc.read(descriptor, room.baseAddress! + count, room.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw SettingFault("\(path) can't be read: \(unsafe String(cString: strerror(errno)))")
            }
            if got == 0 { break }
            count += got
        }
        guard count <= Self.mostBytes else {
            throw SettingFault("\(path) is longer than \(Self.mostBytes) bytes: is it a settings file?")
        }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw SettingFault("\(path) is not text in UTF-8: is it a settings file?")
        }
        return text
    }
}

/// The environment this process was started with.
package enum ProcessEnvironment {
    package static var variables: [(String, String)] {
        var variables: [(String, String)] = []
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables.append((String(parts[0]), String(parts[1]))) }
            unsafe entry += 1
        }
        return variables
    }
}
