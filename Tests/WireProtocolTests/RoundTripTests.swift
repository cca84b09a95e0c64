import RaceModel
import Testing
import WireProtocol

@Suite struct RoundTripTests {
    @Test func `every sample means the same in both dialects`() {
        for message in Samples.client {
            #expect(Feed.frames([Feed.frame(message)[...]], as: ClientMessage.self) == [.value(message)])
            #expect(Feed.lines([Feed.line(message)[...]]) == [.value(.message(message))])
        }
        for message in Samples.server {
            for names in [RosterNames.none, Samples.names] {
                #expect(Feed.serverLines([Feed.line(message, names: names)[...]]) == [.value(message)])
            }
        }
    }

    // Goal: text and binary are two forms of one value. Method: seeded random messages go through both
    // dialects, whole and in pieces, and must come back equal.
    @Test func `random client messages come back equal from both dialects`() {
        for seed in UInt64(1)...3000 {
            var random = RandomMessages(seed: seed)
            let message = random.client()
            let frame = Feed.frame(message)
            let line = Feed.line(message)
            #expect(line.count <= Limits.lineBytes + 1, "seed \(seed)")
            let size = 1 + random.below(40)
            #expect(
                Feed.frames(Feed.pieces(frame, of: size), as: ClientMessage.self) == [.value(message)],
                "seed \(seed)")
            #expect(Feed.lines(Feed.pieces(line, of: size)) == [.value(.message(message))], "seed \(seed)")
        }
    }

    @Test func `random server messages come back equal from both dialects`() {
        for seed in UInt64(1)...3000 {
            var random = RandomMessages(seed: seed)
            let message = random.server()
            let frame = Feed.frame(message)
            let line = Feed.line(message, names: random.flag() ? Samples.names : .none)
            let size = 1 + random.below(200)
            #expect(
                Feed.frames(Feed.pieces(frame, of: size), as: ServerMessage.self) == [.value(message)],
                "seed \(seed)")
            #expect(Feed.serverLines(Feed.pieces(line, of: size)) == [.value(message)], "seed \(seed)")
        }
    }

    // Goal: nothing a player wrote can steer a terminal. Method: random messages full of control characters.
    @Test func `no line carries a control byte or a control character`() {
        for seed in UInt64(1)...3000 {
            var random = RandomMessages(seed: seed)
            var bytes = Feed.line(random.client()) + Feed.line(random.server(), names: Samples.names)
            LineEncoder.appendNote(random.text(100), to: &bytes)
            for scalar in Feed.text(bytes).unicodeScalars where scalar != "\n" {
                let isControl =
                    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    || (0x200B...0x200F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value)
                    || (0x2060...0x206F).contains(scalar.value) || scalar.value == 0xE000
                if isControl { Issue.record("seed \(seed): U+\(String(scalar.value, radix: 16))") }
            }
        }
    }

    @Test func `a list too long for one frame or line becomes several, none over its limit`() {
        let ids = (0..<200).map { PlayerID(UInt64.max - UInt64($0)) }
        let idFrames = Feed.frames([Feed.frame(.lookUpAliases(ids))[...]], as: ClientMessage.self)
        #expect(idFrames.count == 4)
        let idLines = Feed.lines([Feed.line(.lookUpAliases(ids))[...]])
        func found(_ message: ClientMessage) -> [PlayerID] {
            guard case .lookUpAliases(let ids) = message else { return [] }
            return ids
        }
        #expect(
            idFrames.flatMap { event -> [PlayerID] in
                guard case .value(let message) = event else { return [] }
                return found(message)
            } == ids)
        #expect(
            idLines.flatMap { event -> [PlayerID] in
                guard case .value(.message(let message)) = event else { return [] }
                return found(message)
            } == ids)

        let wide = Samples.longAlias
        let entries = (1...64).map { AliasEntry(player: PlayerID($0), alias: wide) }
        let aliases = Feed.frames([Feed.frame(.aliases(entries))[...]], as: ServerMessage.self)
        #expect(aliases.count == 2)
        #expect(
            aliases.flatMap { event -> [AliasEntry] in
                guard case .value(.aliases(let entries)) = event else { return [] }
                return entries
            } == entries)
        #expect(Feed.serverLines([Feed.line(.aliases(entries))[...]]) == [.value(.aliases(entries))])

        let matches = (1...20).map {
            MatchEntry(
                match: MatchID($0), state: .active, rule: .turns, aliases: Array(repeating: wide, count: 8),
                spectators: 3)
        }
        let page = Page(number: 2, of: 3)
        let pages = Feed.frames([Feed.frame(.matches(page, matches))[...]], as: ServerMessage.self)
        #expect(
            pages.flatMap { event -> [MatchEntry] in
                guard case .value(.matches(let found, let entries)) = event, found == page else { return [] }
                return entries
            } == matches)
    }

    @Test func `texts over their limit are cut to whole characters, the same in both dialects`() {
        let text = String(repeating: "a", count: 199) + "\u{1F600}tail"
        let cut = ServerMessage.bye(.shutdown, text: String(repeating: "a", count: 199))
        #expect(
            Feed.frames([Feed.frame(.bye(.shutdown, text: text))[...]], as: ServerMessage.self) == [
                .value(cut)
            ])
        #expect(Feed.serverLines([Feed.line(.bye(.shutdown, text: text))[...]]) == [.value(cut)])
    }

    // Goal: no input traps, hangs or is kept for ever. Method: valid input with random bytes changed, dropped
    // and inserted, in random pieces; whatever came, a good message behind it is still read unless the stream
    // is closed.
    @Test func `mutated frames never trap`() {
        var count = 0
        for seed in UInt64(1)...25_000 {
            var random = RandomMessages(seed: seed)
            let bytes = Self.mutate(Feed.frame(random.client()), &random)
            _ = Feed.frames(Feed.pieces(bytes, of: 1 + random.below(50)), as: ClientMessage.self)
            let served = Self.mutate(Feed.frame(random.server()), &random)
            _ = Feed.frames(Feed.pieces(served, of: 1 + random.below(500)), as: ServerMessage.self)
            count += 2
        }
        #expect(count == 50_000)
    }

    @Test func `mutated lines never trap, and a good line behind them is read`() {
        for seed in UInt64(1)...25_000 {
            var random = RandomMessages(seed: seed)
            // The first LF ends whatever telnet sequence or line is open, the second the line that LF may
            // have begun.
            let line = Self.mutate(Feed.line(random.client()), &random) + Array("\n\nping 7\n".utf8)
            let events = Feed.lines(Feed.pieces(line, of: 1 + random.below(50)))
            let isLost =
                events.last == .fault(.lineTooLong) || line.contains(0xFF) || events.contains(.value(.http))
            if !isLost, events.last != .value(.message(.ping(7))) { Issue.record("seed \(seed): \(events)") }

            let served = Self.mutate(Feed.line(random.server()), &random) + Array("\n".utf8)
            _ = Feed.serverLines(Feed.pieces(served, of: 1 + random.below(500)))
        }
    }

    private static func mutate(_ bytes: [UInt8], _ random: inout RandomMessages) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) {
            let index = random.below(bytes.count + 1)
            let byte = UInt8(
                random.pick([0, 8, 10, 13, 34, 61, 92, 127, 128, 240, 250, 253, 255, random.below(256)]))
            switch random.below(3) {
            case 0: bytes.insert(byte, at: index)
            case 1: if index < bytes.count { bytes[index] = byte }
            default: if index < bytes.count { bytes.remove(at: index) }
            }
        }
        return bytes
    }
}
