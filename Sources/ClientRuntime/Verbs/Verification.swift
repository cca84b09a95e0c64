import ClientCore
import Glibc
import Records

/// `verify`: a record file, line by line, without any server.
enum Verification {
    /// - Parameter path: of the file; `-` is standard input.
    /// - Returns: what the shell is told: 0 when all fits, 1 when a line does not, 2 when there is no record to read.
    static func run(_ path: String) -> Int32 {
        let name = path == "-" ? "standard input" : DisplayText.harmless(path)
        let bytes: [UInt8]
        do throws(FileBytes.Fault) {
            bytes = try FileBytes.read(path, most: RecordFile.mostBytes)
        } catch {
            StandardStreams.write("catrace: \(name) can't be read (\(error.reason))\n", to: STDERR_FILENO)
            return 2
        }
        do throws(RecordFile.Fault) {
            return self.check(try RecordFile.read(bytes))
        } catch {
            let words = RecordFile.words(for: error, name)
            if case .line = error {
                StandardStreams.write(words + "\n", to: STDOUT_FILENO)
                return 1
            }
            StandardStreams.write("catrace: \(words)\n", to: STDERR_FILENO)
            return 2
        }
    }

    private static func check(_ record: MatchRecord) -> Int32 {
        let check = RecordCheck(record)
        let findings = check.findings()
        var text = ""
        for finding in findings {
            let words = DisplayText.harmless(finding.text)
            if finding.fits {
                text += "line \(finding.line): \(words)\n"
            } else {
                let line = check.lines.indices.contains(finding.line - 1) ? check.lines[finding.line - 1] : ""
                text += "line \(finding.line) does not fit: \(words)\n  \(DisplayText.harmless(line))\n"
            }
        }
        let fits = findings.allSatisfy(\.fits)
        if fits { text += "all \(findings.count) lines fit: the race was as it is told here\n" }
        StandardStreams.write(text, to: STDOUT_FILENO)
        return fits ? 0 : 1
    }
}
