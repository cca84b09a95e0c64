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
            // An operator may have said another level since.
            settings.logLevel = log.level
            let certificate = settings.tls.flatMap { Self.takeCertificate($0, engine, log) }
            let outcome = Self.takeOver(read, &settings)
            let audit = settings.audit.flatMap { Self.takeAudit($0, log) }
            let refused = [certificate, audit].compactMap { $0 }
            guard case .done(var changes) = outcome else {
                log.write([outcome.line])
                return completion(outcome)
            }
            changes.refused = refused
            if audit != nil { changes.changed.removeAll { $0 == "audit" } }
            log.change(level: settings.logLevel, format: settings.logFormat)
            engine.operate(.logLevel(settings.logLevel)) { _ in }
            engine.operate(.change(settings.core.door, settings.core.deadlines)) { [changes] answer in
                var outcome = ReloadOutcome.done(changes)
                if case .refused(let text, _) = answer { outcome = .failed(text) }
                log.write([outcome.line])
                completion(outcome)
            }
        }
    }

    /// For connections that come from now on. Files that can't be used are refused with a line in the log, and all
    /// stays as it was.
    private static func takeCertificate(
        _ files: TLSFiles, _ engine: Engine, _ log: LogWriter
    ) -> ReloadChanges.Refusal? {
        do throws(TLSFiles.Fault) {
            engine.secure(by: try files.read())
            log.write([LogLine(.info, "certificate-loaded", [LogLine.Field("file", files.certificate)])])
            return nil
        } catch {
            let fields = [LogLine.Field("reason", error.text), LogLine.Field("still", "the old one")]
            log.write([LogLine(.error, "certificate-refused", fields)])
            return ReloadChanges.Refusal(part: .certificate, reason: error.text)
        }
    }

    /// Opens the audit's file anew: it may have been moved away, or another is wanted. When that is not possible, the
    /// one before is written further.
    private static func takeAudit(_ path: String, _ log: LogWriter) -> ReloadChanges.Refusal? {
        do throws(AuditFile.Fault) {
            log.take(try AuditFile(path))
            return nil
        } catch {
            log.write([LogLine(.error, "audit-refused", [LogLine.Field("reason", error.text)])])
            return ReloadChanges.Refusal(part: .audit, reason: error.text)
        }
    }

    private static func takeOver(_ read: Read?, _ settings: inout ServerSettings) -> ReloadOutcome {
        guard let read else { return .failed("this server has no settings to read again") }
        do throws(SettingFault) {
            let new = try read()
            var changes = settings.reload(new.settings)
            changes.overridden = new.overridden
            return .done(changes)
        } catch {
            return .failed(error.text)
        }
    }
}
