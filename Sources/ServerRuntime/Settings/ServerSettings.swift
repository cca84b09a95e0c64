import RaceModel
package import ServerCore

/// All an operator can set.
package struct ServerSettings: Sendable {
    /// An IPv4 or IPv6 address of this machine, or `localhost`.
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 7223
    /// Makes keys, nonces and codes repeat with every run: for tests, since nothing is secret then.
    package var seed: UInt64?
    package var core = ServerConfiguration()
    /// Connections at once; further ones wait until one ends.
    package var connections = Limits.connections
    package var logLevel = LogLine.Level.info
    package var logFormat = LogFormat.text

    package init() {}
}
