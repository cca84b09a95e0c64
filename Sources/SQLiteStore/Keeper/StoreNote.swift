package import RaceModel

/// What the operator is to know about the store.
package enum StoreNote: Hashable, Sendable {
    /// From now on nothing is kept; results wait.
    case down(StoreFault)
    /// All that waited is kept. `seconds`: since it was down; `lost`: results that found no room to wait.
    case up(seconds: Int, kept: Int, lost: Int)
    /// One request could not be carried out, and never will be; others can.
    case refused(StoreFault)
}

/// When something happens, by both clocks.
package struct StoreMoment: Hashable, Sendable {
    /// Monotonic.
    package var now: Instant
    /// Seconds since 1970.
    package var wall: Int64
    package init(now: Instant, wall: Int64) {
        self.now = now
        self.wall = wall
    }
}
