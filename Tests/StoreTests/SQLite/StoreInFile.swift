import Lobby
import Records
import Store

/// The store on disk, one request at a time.
struct StoreInFile: AnsweringStore {
    private let script: KeeperScript

    init() throws { self.script = try KeeperScript() }

    mutating func answer(_ request: DirectoryRequest) throws -> DirectoryAnswer? {
        guard case .directory(let answer) = self.script.ask(.directory(request)).first else { return nil }
        return answer
    }

    mutating func answer(_ request: ResultRequest) throws -> ResultAnswer? {
        guard case .results(let answer) = self.script.ask(.results(request)).first else { return nil }
        return answer
    }
}
