import Lobby
import RaceModel
import Records
import SQLiteStore
import Store

/// A store as the server asks it: each request is answered before the next one.
protocol AnsweringStore {
    mutating func answer(_ request: DirectoryRequest) throws -> DirectoryAnswer?
    mutating func answer(_ request: ResultRequest) throws -> ResultAnswer?
}

extension MemoryStore: AnsweringStore {}

/// Every store there is: all of them answer the same.
enum StoreKind: String, CaseIterable {
    case memory
    case file

    /// An empty one.
    func make() throws -> any AnsweringStore {
        switch self {
        case .memory: MemoryStore()
        case .file: try StoreInFile()
        }
    }
}
