package import EventLoop
import Glibc

/// The files of a server's certificate, with the chain behind it, and of its key, both in PEM.
package struct TLSFiles: Hashable, Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// One sentence for the operator: which file, what is wrong, what to do.
    package struct Fault: Error, Hashable, Sendable {
        package var text: String
    }

    package func read() throws(Fault) -> TLSIdentity {
        let certificate = try Self.contents(of: self.certificate, "--tls-cert", "certificate")
        let key = try Self.contents(of: self.key, "--tls-key", "key")
        do throws(TLSSetupFault) {
            return try TLSIdentity(certificate: certificate, key: key)
        } catch {
            throw Fault(text: self.text(of: error))
        }
    }

    private func text(of fault: TLSSetupFault) -> String {
        switch fault {
        case .noCertificate, .noAuthority:
            "--tls-cert '\(self.certificate)' has no certificate in PEM, which begins -----BEGIN CERTIFICATE-----"
        case .certificateRefused:
            "--tls-cert '\(self.certificate)' has a certificate that can't be used: its key is too weak, or the "
                + "file is damaged; make a new one"
        case .noKey:
            "--tls-key '\(self.key)' has no private key in PEM, which begins -----BEGIN PRIVATE KEY-----"
        case .keyEncrypted:
            "--tls-key '\(self.key)' is protected by a password: give it without (openssl pkey -in IT -out NEW)"
        case .mismatch:
            "--tls-key '\(self.key)' is not the key of the first certificate in '\(self.certificate)': give the "
                + "two that were made together, the server's own certificate before those of its authorities"
        case .noMemory: "no memory is left for the certificate"
        }
    }

    private static func contents(of path: String, _ flag: String, _ what: String) throws(Fault) -> [UInt8] {
        do throws(SmallFile.Fault) {
            return try SmallFile.contents(of: path)
        } catch {
            throw Fault(text: "\(flag) '\(path)' \(error.text): give the file of the \(what), in PEM")
        }
    }
}
