import ClientCore
import Glibc
import RaceModel
import Testing

@testable import ClientRuntime

@Suite struct KeyFileTests {
    private let state = StateDirectory()
    private var file: KeyFile { KeyFile(directory: self.state.path + "/catrace") }

    private func entry(_ name: String, _ id: UInt64) throws -> KeyBook.Entry {
        KeyBook.Entry(
            server: "localhost:7223", player: PlayerID(id), alias: try #require(Alias(name)),
            key: PlayerKey(high: 1, low: id))
    }

    private func fault(_ body: () throws(KeyFile.Fault) -> Void) -> String {
        do throws(KeyFile.Fault) {
            try body()
            return "none"
        } catch {
            return error.text
        }
    }

    @Test func `keys are for their user alone, from the first byte on`() throws {
        let old = umask(0)
        defer { umask(old) }
        let ann = try self.entry("ann", 1)
        #expect(try self.file.read() == KeyBook())
        #expect(try self.file.change { $0.keep(ann) } == .kept)
        #expect(try self.file.read().entries == [ann])
        #expect(self.state.mode("catrace") == 0o700)
        #expect(self.state.mode("catrace/keys") == 0o600)
        #expect(self.state.mode("catrace/lock") == 0o600)
    }

    @Test func `what others can read is refused, with what to do`() throws {
        let ann = try self.entry("ann", 1)
        _ = try self.file.change { $0.keep(ann) }
        _ = unsafe chmod(self.state.keys, 0o640)
        let words = self.fault { () throws(KeyFile.Fault) in _ = try self.file.read() }
        #expect(
            words == "others can read the keys in \(self.state.keys): chmod 600 it, or play with --guest")
        #expect(self.fault { () throws(KeyFile.Fault) in _ = try self.file.change { $0.keep(ann) } } == words)
        _ = unsafe chmod(self.state.keys, 0o600)
        #expect(try self.file.read().entries == [ann])
        _ = unsafe chmod(self.file.directory, 0o755)
        #expect(
            self.fault { () throws(KeyFile.Fault) in _ = try self.file.change { $0.keep(ann) } }
                .hasPrefix("others can enter \(self.file.directory), where keys are kept: chmod 700 it"))
    }

    @Test func `what is no book of keys is never written over`() throws {
        _ = try self.file.change { _ in }
        let text = "my shopping list\n"
        try self.state.write(text, to: "catrace/keys")
        let words = self.fault { () throws(KeyFile.Fault) in _ = try self.file.change { _ in } }
        #expect(words.hasPrefix("line 1 of \(self.state.keys) is no player and key: mend it"))
        #expect(self.state.read("catrace/keys") == text)
        // A link may lead anywhere.
        _ = unsafe unlink(self.state.keys)
        try self.state.write("", to: "elsewhere")
        _ = unsafe symlink(self.state.path + "/elsewhere", self.state.keys)
        #expect(self.fault { () throws(KeyFile.Fault) in _ = try self.file.read() }.contains("can't be read"))
    }

    @Test func `many that write at once lose nobody's key`() async throws {
        let file = self.file
        let entries = try (1...40 as ClosedRange<UInt64>).map { try self.entry("cat-\($0)", $0) }
        try await withThrowingTaskGroup(of: KeyBook.Kept.self) { group in
            for entry in entries { group.addTask { try file.change { $0.keep(entry) } } }
            for try await kept in group { #expect(kept == .kept) }
        }
        #expect(Set(try file.read().entries) == Set(entries))
    }

    @Test func `a player is claimed by one at a time`() throws {
        let (ann, bob) = (try self.entry("ann", 1), try self.entry("bob", 2))
        #expect(try self.file.claim(ann))
        #expect(try !self.file.claim(ann))
        #expect(try self.file.claim(bob))
        // The locks of players and the one for writing do not meet.
        #expect(try self.file.change { $0.keep(ann) } == .kept)
    }

    @Test func `the directory follows the state directory, or the home`() {
        func path(_ environment: [String: String]) -> String? { KeyFile { environment[$0] }?.path }
        #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/catrace/keys")
        #expect(path(["HOME": "/h"]) == "/h/.local/state/catrace/keys")
        #expect(path(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/catrace/keys")
        #expect(path([:]) == nil && path(["HOME": "x"]) == nil)
    }
}
