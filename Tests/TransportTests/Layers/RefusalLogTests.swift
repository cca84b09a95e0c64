import EventLoop
import RaceModel
import ServerCore
import Testing

@testable import ServerRuntime

extension TransportTests {
    @Suite struct RefusalLogTests {
        @Test func `each reason is written once a minute, with a count of what was not`() {
            var log = RefusalLog()
            func lines(_ refusal: ConnectionRefusal, at seconds: Int64) -> LogLine? {
                log.line(refusal, from: "192.0.2.1:5", now: Instant(nanoseconds: seconds * 1_000_000_000))
            }
            let first = lines(.headerLate, at: 10)
            #expect(first?.event == "proxy-refused" && first?.level == .warning)
            #expect(
                first?.fields == [
                    LogLine.Field("address", "192.0.2.1:5"),
                    LogLine.Field("reason", "no whole PROXY header came within 5 s"),
                ])
            for second in 10..<70 { #expect(lines(.headerLate, at: Int64(second)) == nil) }
            let other = lines(.tls(TLSFailure(.notTLS, details: "http request")), at: 20)
            #expect(other?.event == "tls-failed" && other?.fields.last?.value == "http request")
            #expect(lines(.tls(TLSFailure(.notTLS, details: "another")), at: 20) == nil)
            #expect(lines(.headerLate, at: 70)?.fields.last == LogLine.Field("since-last", "60"))
            #expect(lines(.headerLate, at: 130)?.fields.last?.key == "reason")
        }

        @Test func `files that can't be used are told by name, with what would be right`() {
            func sentence(_ files: TLSFiles) -> String {
                do throws(TLSFiles.Fault) {
                    _ = try files.read()
                    return ""
                } catch {
                    return error.text.replacing(Certificates.folder, with: "")
                }
            }
            #expect(sentence(Certificates.files("localhost")) == "")
            for (name, key, begin) in [
                ("none", "localhost", "--tls-cert 'none.pem' is not there: give the file of the certificate"),
                ("localhost", "none", "--tls-key 'none.key' is not there: give the file of the key, in PEM"),
                (
                    "localhost", "other",
                    "--tls-key 'other.key' is not the key of the first certificate in 'local"
                ),
                ("localhost", "locked", "--tls-key 'locked.key' is protected by a password: give it without"),
            ] {
                #expect(sentence(Certificates.files(name, key: key)).hasPrefix(begin), "\(name) \(key)")
            }
            let folder = TLSFiles(certificate: Certificates.folder, key: "")
            #expect(sentence(folder) == "--tls-cert '' is no file: give the file of the certificate, in PEM")
            let endless = TLSFiles(certificate: "/dev/zero", key: "")
            #expect(sentence(endless).hasPrefix("--tls-cert '/dev/zero' is no file"))
        }
    }
}
