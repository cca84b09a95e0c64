/// One sentence for the user of a client: what is wrong with the authorities, and what to do.
package struct TLSFault: Error, Hashable, Sendable {
    package var text: String
}

extension TLSContext {
    /// Trusts the authorities in this file, or the system's. Waits for the disk: never on a loop's queue.
    package static func trusting(_ file: String?) throws(TLSFault) -> TLSContext {
        var trust = TLSTrust.system
        if let file {
            do throws(SmallFile.Fault) {
                trust = .authorities(try SmallFile.contents(of: file))
            } catch {
                throw TLSFault(
                    text: "--ca '\(file)' \(error.text): give the authorities' certificates, in PEM")
            }
        }
        do throws(TLSSetupFault) {
            return try TLSContext(trust)
        } catch {
            throw TLSFault(
                text: file.map {
                    "--ca '\($0)' has no certificate in PEM, which begins -----BEGIN CERTIFICATE-----"
                } ?? "the system's authorities can't be read: give some with --ca FILE")
        }
    }
}
