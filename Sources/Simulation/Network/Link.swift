import RaceModel

/// Bytes on their way in one direction, in order.
struct Pipe: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0
    /// A delivery is planned.
    var isPlanned = false
    /// Nothing more is written into it; its end is delivered behind the last byte.
    var isEnded = false
    var isEndDelivered = false

    var count: Int { self.bytes.count - self.head }

    mutating func write(_ new: some Collection<UInt8>) { self.bytes.append(contentsOf: new) }

    /// The first bytes, taken out.
    mutating func read(_ count: Int) -> ArraySlice<UInt8> {
        let slice = self.bytes[self.head..<(self.head + min(count, self.count))]
        self.head += slice.count
        if self.head == self.bytes.count {
            self.bytes = []
            self.head = 0
        }
        return slice
    }

    /// Takes over all of another.
    mutating func take(_ other: inout Pipe) {
        self.bytes.append(contentsOf: other.bytes[other.head...])
        other.discard()
    }

    mutating func discard() {
        self.bytes = []
        self.head = 0
    }
}

/// One connection, as the network knows it. Its slot is used again once both ends know that it is over.
struct Link: Sendable {
    let id: ConnectionID
    /// The client program at its end; nil for a vandal.
    let program: Int?
    let address: NetworkAddress
    var toServer = Pipe()
    var toClient = Pipe()
    /// What the server sends waits here while it is held.
    var held = Pipe()
    var holds = 0
    var isAccepted = false
    /// The server reads nothing until it says so.
    var isPaused = false
    var stalledUntil = Instant.zero
    /// The server was told that much is unread.
    var isBackedUp = false
    /// The server asked for its end.
    var isServerClosing = false
    /// The server was told that it is gone.
    var isLossTold = false
    /// The client knows that it is gone.
    var isClientGone = false

    init(id: ConnectionID, program: Int?, address: NetworkAddress) {
        self.id = id
        self.address = address
        self.program = program
    }

    /// Held output goes on its way.
    mutating func letGo() { self.toClient.take(&self.held) }

    var isOver: Bool { self.isLossTold && self.isClientGone }
}
