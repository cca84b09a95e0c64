import Dispatch
import EventLoop
import ServerCore

/// Reads the settings again while the server runs, and takes over what can change.
package final class Reloader: Sendable {
    /// The settings as file, environment and flags say now.
    package typealias Read = @Sendable () throws(SettingFault) -> EffectiveSettings

    private let settings: QueueConfined<ServerSettings>
    private let engine: Engine
    private let log: LogWriter
    private let read: Read?

    /// Where the settings of a server come from.
    package struct Source: Sendable {
        /// As they were read at the start: a server may have lowered some of them since, to what its machine allows.
        package var settings: ServerSettings
        package var read: Read
        package init(_ settings: ServerSettings, read: @escaping Read) {
            self.settings = settings
            self.read = read
        }
    }

    /// - Parameter source: nil: there is nothing to read again.
    init(_ source: Source?, engine: Engine, log: LogWriter) {
        let settings = source?.settings ?? ServerSettings()
        self.settings = QueueConfined(settings, on: DispatchQueue(label: "catrace.reload"))
        self.engine = engine
        self.log = log
        self.read = source?.read
    }

    /// `completion` is called once, on some queue, when it is done.
    func reload(_ completion: @escaping @Sendable (ReloadOutcome) -> Void) {
        let (engine, log, read) = (self.engine, self.log, self.read)
        self.settings.enqueue { settings in
            if let files = settings.tls { Self.takeCertificate(files, engine, log) }
            let outcome = Self.takeOver(read, &settings)
            log.reopenAudit(at: settings.audit)
            guard case .done = outcome else {
                log.write([outcome.line])
                return completion(outcome)
            }
            log.change(level: settings.logLevel, format: settings.logFormat)
            engine.operate(.logLevel(settings.logLevel)) { _ in }
            engine.operate(.change(settings.core.door, settings.core.deadlines)) { answer in
                var outcome = outcome
                if case .refused(let text, _) = answer { outcome = .failed(text) }
                log.write([outcome.line])
                completion(outcome)
            }
        }
    }

    /// For connections that come from now on. Files that can't be used are refused with a line in the log, and all
    /// stays as it was.
    private static func takeCertificate(_ files: TLSFiles, _ engine: Engine, _ log: LogWriter) {
        do throws(TLSFiles.Fault) {
            engine.secure(by: try files.read())
            log.write([LogLine(.info, "certificate-loaded", [LogLine.Field("file", files.certificate)])])
        } catch {
            let fields = [LogLine.Field("reason", error.text), LogLine.Field("still", "the old one")]
            log.write([LogLine(.error, "certificate-refused", fields)])
        }
    }

    private static func takeOver(_ read: Read?, _ settings: inout ServerSettings) -> ReloadOutcome {
        guard let read else { return .failed("this server has no settings to read again") }
        do throws(SettingFault) {
            return settings.reload(try read().settings)
        } catch {
            return .failed(error.text)
        }
    }
}
