package import Lobby
package import RaceModel
package import Records

/// What goes to whoever keeps players and results, under the name by which its answer finds back.
package struct StoreRequest: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case directory(DirectoryRequest)
        case results(ResultRequest)
        /// Not answered.
        case bans(BanChange)
    }
    package var id: LookUpID
    package var subject: Subject
    package init(_ id: LookUpID, _ subject: Subject) {
        self.id = id
        self.subject = subject
    }
}

package struct StoreAnswer: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case directory(DirectoryAnswer)
        case results(ResultAnswer)
    }
    package var id: LookUpID
    package var subject: Subject
    package init(_ id: LookUpID, _ subject: Subject) {
        self.id = id
        self.subject = subject
    }
}
