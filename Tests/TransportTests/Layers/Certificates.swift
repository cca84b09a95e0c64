import EventLoop
import Glibc
import Testing

@testable import ServerRuntime

/// Certificates made for this run, see `certificates.sh`.
enum Certificates {
    static let folder: String = {
        let folder = Child.server.prefix { _ in true } + "-certificates"
        let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let script = "/\(tests)/EndToEndTests/Scripts/certificates.sh"
        let child = try? Child(
            shell: "rm -rf '\(folder)' && mkdir '\(folder)' && bash '\(script)' '\(folder)' >/dev/null 2>&1")
        return child?.exitCode() == 0 ? folder + "/" : "(openssl could not make certificates)/"
    }()

    static func files(_ name: String, key: String? = nil) -> TLSFiles {
        TLSFiles(certificate: Self.folder + name + ".pem", key: Self.folder + (key ?? name) + ".key")
    }

    static func identity(_ name: String = "localhost") throws -> TLSIdentity { try Self.files(name).read() }

    static func authority() throws -> TLSTrust {
        .authorities(try SmallFile.contents(of: Self.folder + "ca.pem"))
    }
}
