import EventLoop
import Glibc
import Records
import SQLiteStore
import ServerRuntime

extension ToolOptions {
    /// Does what is asked, says how it went, and ends the program.
    func run() -> Never {
        switch self {
        case .check(let place): place.examine(thoroughly: false)
        case .verify(let place): place.examine(thoroughly: true)
        case .backup(let directory, let file):
            do throws(StoreBackup.Failure) {
                try StoreBackup.write(DataDirectory(directory), to: file)
            } catch {
                fail(error.sentence, status: 1)
            }
            writeFully("backup file=\(LogFormat.value(file))\n", to: STDOUT_FILENO)
            exit(0)
        }
    }
}

extension ToolOptions.StorePlace {
    /// What is wrong with a race, worked out again; nil: nothing, or it was too long to keep its events.
    private static func workOut(_ record: MatchRecord) -> String? {
        guard record.events != nil, let fault = RecordCheck(record).fault else { return nil }
        return "line \(fault.line) of its record: \(fault.text)"
    }

    fileprivate func examine(thoroughly: Bool) -> Never {
        do throws(StoreFault) {
            let reader =
                switch self {
                case .directory(let path): try StoreReader(DataDirectory(path))
                case .file(let path): try StoreReader(file: path)
                }
            let report =
                thoroughly ? try StoreCheck.run(reader, examine: Self.workOut) : try StoreCheck.run(reader)
            let verdict = report.faultCount == 0 ? "sound" : "faults=\(report.faultCount)"
            let word = thoroughly ? "verified" : "checked"
            for fault in report.faults { writeFully("fault \(fault)\n", to: STDOUT_FILENO) }
            writeFully(
                "\(word) players=\(report.players) results=\(report.results) standings=\(report.standings)"
                    + " \(verdict)\n", to: STDOUT_FILENO)
            exit(report.faultCount == 0 ? 0 : 1)
        } catch {
            fail(error.sentence, status: 1)
        }
    }
}
