import RaceModel
import Testing

struct AliasRulesTests {
    private static func fault(of text: String) -> AliasFault? {
        do throws(AliasFault) {
            _ = try Alias(validating: text)
            return nil
        } catch { return error }
    }

    private static func scalar(_ value: UInt32) throws -> Unicode.Scalar {
        try #require(Unicode.Scalar(value))
    }

    @Test func `ordinary aliases are kept byte for byte`() throws {
        let texts = [
            "a", "7", "ann", "Bob_the-cat.2", "Zoë", "Zoe\u{308}", "Мя😀", "я", "Ελένη", "שרה", "مريم",
            "٣مريم", "नमस्ते",
            "สมชาย", "김철수", "さくら", "Bob山", "ミカ2", "王小明", "😀", "\u{ff21}lice", "Ոստան", "ქეთი", "Nguyễn",
            "Nguye\u{302}\u{303}n", "aaaaaaaaaaaaaaaaaaaa", "x-.-x",
        ]
        for text in texts {
            let alias = try Alias(validating: text)
            #expect(Array(alias.text.utf8) == Array(text.utf8), "\(text)")
            #expect(Alias(text) == alias)
        }
    }

    @Test func `limits are counted in scalars and in bytes of UTF-8, never in characters as people see them`()
    {
        #expect(Self.fault(of: "") == .empty)
        #expect(Self.fault(of: String(repeating: "a", count: 20)) == nil)
        #expect(Self.fault(of: String(repeating: "a", count: 21)) == .tooManyScalars(21))
        #expect(Self.fault(of: String(repeating: "я", count: 21)) == .tooManyScalars(21))
        #expect(Self.fault(of: String(repeating: "😀", count: 16)) == nil, "64 bytes")
        #expect(Self.fault(of: String(repeating: "😀", count: 16) + "a") == .tooManyBytes(65))
        #expect(Self.fault(of: "a" + String(repeating: "\u{301}", count: 500)) == .tooManyBytes(1001))
        #expect(Self.fault(of: "a\u{301}\u{301}") == nil)
        #expect(Self.fault(of: "a\u{301}\u{301}\u{301}") == .tooManyMarks("\u{301}"))
        #expect(Self.fault(of: String(repeating: "x", count: 4096)) == .tooManyBytes(4096))
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}"
        #expect(Self.fault(of: family) == .notAllowed("\u{200d}", .invisible))
        #expect(Self.fault(of: String(repeating: family, count: 16)) == .tooManyBytes(288))
    }

    @Test func `every control character is refused`() throws {
        for value in Array(0x00...0x1f) + Array(0x7f...0x9f) as [UInt32] {
            let control = try Self.scalar(value)
            #expect(Self.fault(of: "bo\(control)b") == .notAllowed(control, .control), "\(value)")
        }
        #expect(Self.fault(of: "\u{1b}[2J") == .notAllowed("\u{1b}", .control))
        #expect(Self.fault(of: "x\n2030-01-01 INFO") == .notAllowed("\n", .control))
        #expect(Self.fault(of: "%s%n") == .notAllowed("%", .symbol))
    }

    @Test func `spaces and invisible characters are refused, not trimmed`() {
        for space: Unicode.Scalar in [" ", "\u{a0}", "\u{2003}", "\u{3000}", "\u{2028}", "\u{2029}"] {
            #expect(Self.fault(of: "\(space)Bob") == .notAllowed(space, .space))
            #expect(Self.fault(of: "Bob\(space)") == .notAllowed(space, .space))
        }
        let invisible: [Unicode.Scalar] = [
            "\u{200b}", "\u{200d}", "\u{200f}", "\u{202e}", "\u{2066}", "\u{feff}", "\u{3164}", "\u{115f}",
            "\u{1160}",
            "\u{ffa0}", "\u{34f}", "\u{ad}", "\u{fe0f}", "\u{e0041}", "\u{e000}", "\u{378}", "\u{17b4}",
            "\u{ffff}",
        ]
        for scalar in invisible {
            #expect(Self.fault(of: "Bob\(scalar)") == .notAllowed(scalar, .invisible), "\(scalar.value)")
            #expect(Self.fault(of: "\(scalar)Bob") == .notAllowed(scalar, .invisible), "\(scalar.value)")
        }
        #expect(
            Self.fault(of: String(repeating: "\u{200b}", count: 15)) == .notAllowed("\u{200b}", .invisible))
    }

    @Test func `something must be there to read`() {
        for text in ["_", "-", "...", "_-.", "--"] { #expect(Self.fault(of: text) == .nothingToRead) }
        #expect(Self.fault(of: "\u{301}\u{302}") == .misplacedMark("\u{301}"))
        #expect(Self.fault(of: "7\u{301}") == .misplacedMark("\u{301}"))
        #expect(Self.fault(of: "😀\u{301}") == .misplacedMark("\u{301}"))
        #expect(Self.fault(of: "-\u{301}a") == .misplacedMark("\u{301}"))
    }

    @Test func `letters of one alphabet only, but for those that are written together`() {
        #expect(Self.fault(of: "Аlice") == .mixedScripts(.cyrillic, .latin))
        #expect(Self.fault(of: "раураl") == .mixedScripts(.cyrillic, .latin))
        #expect(Self.fault(of: "Αlice") == .mixedScripts(.greek, .latin))
        #expect(Self.fault(of: "abcאבג") == .mixedScripts(.latin, .hebrew))
        #expect(Self.fault(of: "Ꭺlice") == .mixedScripts(.cherokee, .latin))
        #expect(Self.fault(of: "aօ") == .mixedScripts(.latin, .armenian))
        #expect(Self.fault(of: "山さクa") == nil)
        #expect(Self.fault(of: "さ김") == .mixedScripts(.hiragana, .korean))
        #expect(Self.fault(of: "bob٣") == .mixedScripts(.latin, .arabic))
    }

    @Test func `letters and symbols outside of living alphabets are refused`() {
        let letters: [Unicode.Scalar] = [
            "𝐀", "ℂ", "ª", "\u{1100}", "\u{ff71}", "ǃ", "ɑ", "\u{13000}", "\u{640}",
        ]
        for letter in letters { #expect(Self.fault(of: "\(letter)") == .notAllowed(letter, .unusualLetter)) }
        let symbols: [Unicode.Scalar] = [
            "#", "\"", "=", "/", "@", "<", "Ⅷ", "²", "𝟎", "©", "\u{20e3}", "\u{20dd}", ",",
        ]
        for symbol in symbols { #expect(Self.fault(of: "a\(symbol)") == .notAllowed(symbol, .symbol)) }
        #expect(Self.fault(of: "🇩🇪") == .notAllowed("\u{1f1e9}", .flag))
        #expect(Self.fault(of: "👍🏽") == .notAllowed("\u{1f3fd}", .flag))
    }

    @Test func `what the server calls others by cannot be taken, nor what looks like it`() throws {
        let texts = [
            "server", "SERVER", "anyone", "Any0ne", "player-17", "PIayer-1", "player-O", "player-",
            "bot-Minka",
            "B0T-x", "вот-\u{430}", "bot-",
        ]
        for text in texts { #expect(Self.fault(of: text) == .reserved, "\(text)") }
        for text in ["player", "player-x", "player17", "bot", "botany", "servers"] {
            #expect(Self.fault(of: text) == nil, "\(text)")
        }
    }

    @Test func `the server's own aliases have the form of an alias`() throws {
        for id: UInt64 in [0, 1, 17, 9_999_999_999_999, 10_000_000_000_000, .max] {
            let alias = Alias.placeholder(for: PlayerID(id))
            #expect(Alias(alias.text) == alias)
            #expect(Self.fault(of: alias.text) == .reserved)
        }
        #expect(Alias.placeholder(for: PlayerID(17)).text == "player-17")
        #expect(Alias(Alias.bot("Minka").text)?.text == "bot-Minka")
    }

    @Test func `messages are one short line without anything of the text`() throws {
        let faults: [AliasFault] = [
            .empty, .tooManyScalars(21), .tooManyBytes(65), .notAllowed("\u{1b}", .control), .nothingToRead,
            .notAllowed("\u{202e}", .invisible), .notAllowed(" ", .space), .notAllowed("\u{1f1e9}", .flag),
            .notAllowed("%", .symbol), .notAllowed("ǃ", .unusualLetter), .misplacedMark("\u{301}"),
            .tooManyMarks("\u{301}"), .mixedScripts(.latin, .cyrillic), .reserved,
        ]
        for fault in faults {
            #expect(fault.message.utf8.allSatisfy { (0x20...0x7e).contains($0) })
            #expect(fault.message.utf8.count <= Limits.textBytes)
        }
        #expect(
            AliasFault.notAllowed("\u{1b}", .control).message
                == "the alias holds a control character (U+001B); use letters, digits or _ - .")
        #expect(
            AliasFault.mixedScripts(.cyrillic, .latin).message
                == "the alias mixes Cyrillic and Latin letters; use letters of one alphabet")
    }

    @Test func `the script ranges ascend without overlaps`() {
        for (left, right) in zip(AliasScript.ranges, AliasScript.ranges.dropFirst()) {
            #expect(left.range.upperBound < right.range.lowerBound)
        }
    }

    /// Goal: no text traps the rules or the folding. Method: seeded texts of scalars from all planes, near
    /// the edges.
    @Test func `no text traps, and what is accepted keeps within the limits`() throws {
        for seed: UInt64 in 1...20 {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                var text = ""
                for _ in 0..<generator.below(24) {
                    let bound: UInt64 = [0x80, 0x600, 0x3200, 0x11_0000][Int(generator.below(4))]
                    if let scalar = Unicode.Scalar(UInt32(generator.below(bound))) {
                        text.unicodeScalars.append(scalar)
                    }
                }
                _ = AliasKey.prefix(of: text)
                guard let alias = Alias(text) else { continue }
                #expect(alias.text.utf8.count <= 64 && alias.text.unicodeScalars.count <= 20, "seed \(seed)")
                #expect(!AliasKey(alias).text.isEmpty, "seed \(seed)")
            }
        }
    }
}
