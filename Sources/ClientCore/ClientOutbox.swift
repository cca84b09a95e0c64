/// What comes of inputs. The caller sends the bytes, looks at the events and empties it; its buffers are used
/// again.
package struct ClientOutbox: Sendable {
    /// For the server.
    package var bytes: [UInt8] = []
    package var events: [ClientEvent] = []
    /// Nothing good can come over this connection any more.
    package var closes = false

    package init() {}

    package mutating func removeAll() {
        self.bytes.removeAll(keepingCapacity: true)
        self.events.removeAll(keepingCapacity: true)
        self.closes = false
    }
}
