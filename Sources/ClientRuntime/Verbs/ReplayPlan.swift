package import ClientCore
package import RaceModel

/// Which race is told again, and how.
package struct ReplayPlan: Sendable {
    package enum Source: Hashable, Sendable {
        /// The server has its record.
        case match(MatchID)
        /// A file has; `-` is standard input.
        case file(String)
    }

    package var source: Source
    /// Nil: a lively race on a terminal, at once in a pipe.
    package var speed: ReplayShow.Speed?
    /// Nil: it is shown.
    package var savePath: String?
    /// Whether a file of that name gives way.
    package var overwrites: Bool

    package init(source: Source, speed: ReplayShow.Speed?, savePath: String? = nil, overwrites: Bool = false)
    {
        self.source = source
        self.speed = speed
        self.savePath = savePath
        self.overwrites = overwrites
    }
}
