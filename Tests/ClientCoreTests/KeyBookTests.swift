import ClientCore
import RaceModel
import Testing

@Suite struct KeyBookTests {
    private let key = PlayerKey(high: 1, low: 2)
    private let otherKey = PlayerKey(high: 3, low: 4)

    private func entry(
        _ name: String, _ id: UInt64, _ server: String = "localhost:7223", key: PlayerKey? = nil
    ) throws -> KeyBook.Entry {
        KeyBook.Entry(
            server: server, player: PlayerID(id), alias: try #require(Alias(name)), key: key ?? self.key)
    }

    @Test func `whoever was played last comes first, on each server`() throws {
        var book = KeyBook()
        for name in ["ann", "bob"] {
            #expect(book.keep(try self.entry(name, name == "ann" ? 1 : 2)) == .kept)
        }
        #expect(book.keep(try self.entry("eve", 1, "race.example:7300")) == .kept)
        #expect(book.players(of: "localhost:7223").map(\.alias.text) == ["bob", "ann"])
        #expect(book.keep(try self.entry("ann", 1)) == .kept)
        #expect(book.players(of: "localhost:7223").map(\.alias.text) == ["ann", "bob"])
        #expect(book.players(of: "race.example:7300").map(\.alias.text) == ["eve"])
        #expect(book.players(of: "elsewhere:1").isEmpty)
        #expect(book.entries.count == 3 && book.former.isEmpty)
    }

    @Test func `a player is found by any spelling that the server takes for the same`() throws {
        var book = KeyBook()
        _ = book.keep(try self.entry("Ann", 1))
        #expect(book.player(try #require(Alias("aNN")), of: "localhost:7223")?.player == PlayerID(1))
        #expect(book.player(try #require(Alias("anna")), of: "localhost:7223") == nil)
        #expect(book.player(try #require(Alias("Ann")), of: "localhost:1") == nil)
    }

    @Test func `a new player of an old name leaves the old key in the book`() throws {
        var book = KeyBook()
        let old = try self.entry("ann", 3)
        _ = book.keep(old)
        #expect(book.keep(try self.entry("ANN", 1, key: self.otherKey)) == .replaced(old))
        #expect(book.entries.map(\.key) == [self.otherKey])
        #expect(book.former == [old])
        #expect(book.player(try #require(Alias("ann")), of: "localhost:7223")?.player == PlayerID(1))
        // Another name of the same player is no other player.
        #expect(book.keep(try self.entry("annie", 1, key: self.otherKey)) == .kept)
        #expect(book.entries.map(\.alias.text) == ["annie"])
    }

    @Test func `a full book keeps what it has`() throws {
        var book = KeyBook()
        for id in 1...UInt64(KeyBook.mostEntries) {
            #expect(book.keep(try self.entry("cat-\(id)", id)) == .kept)
        }
        let before = book
        #expect(book.keep(try self.entry("ann", 5000)) == .full)
        #expect(book.keep(try self.entry("cat-7", 5000)) == .full)
        #expect(book == before)
        #expect(book.keep(try self.entry("cat-7", 7)) == .kept)
        #expect(book.entries.first?.alias.text == "cat-7")
    }

    @Test func `a book is the same behind its text`() throws {
        var book = KeyBook()
        for (index, name) in ["ann", "Мия", "猫", "zoë", "cat_1.x-y"].enumerated() {
            _ = book.keep(try self.entry(name, UInt64(index + 1), "[::1]:7223"))
        }
        _ = book.keep(try self.entry("ann", 9, "[::1]:7223", key: self.otherKey))
        #expect(try KeyBook(text: book.text) == book)
        let text = String(decoding: book.text, as: UTF8.self)
        #expect(text.contains("\nplayer [::1]:7223 9 00000000000000030000000000000004 ann\n"))
        #expect(text.contains("\nformer [::1]:7223 1 00000000000000010000000000000002 ann\n"))
        #expect(try KeyBook(text: []) == KeyBook())
    }

    @Test func `a line that is no player and key is named, whatever it is`() throws {
        let good = "player localhost:7223 1 00000000000000010000000000000002 ann"
        #expect(try KeyBook(text: Array("# mine\n\n\(good)".utf8)).entries.count == 1)
        for bad in [
            "x", "player", good + " ", good.replacing("player", with: "friend"),
            good.replacing(" 1 ", with: " one "),
            good.replacing("0002 ", with: "000 "), good.replacing("ann", with: "a\u{202E}b"),
            good.replacing("localhost:7223 ", with: " "), "\u{0}", good.replacing(" ", with: "  "),
        ] {
            #expect(throws: KeyBook.Fault(line: 2), "\(bad)") {
                try KeyBook(text: Array("\(good)\n\(bad)\n".utf8))
            }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var text = Array("\(good)\n\(good)\n".utf8)
            text[Int(generator.below(UInt64(text.count)))] = UInt8(truncatingIfNeeded: generator.next())
            guard let book = try? KeyBook(text: text) else { continue }
            #expect(try KeyBook(text: book.text) == book)
        }
    }

    @Test func `one server has one name, however it is written`() throws {
        for (text, name) in [
            ("localhost", "localhost:7223"), ("LocalHost:7223", "localhost:7223"), ("[::1]", "[::1]:7223"),
            ("::1", "[::1]:7223"), ("10.0.0.1:99", "10.0.0.1:99"),
        ] {
            #expect(try #require(ServerAddress(text)).keptName == name)
        }
    }
}
