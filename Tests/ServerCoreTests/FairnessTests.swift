import Fairness
import RaceModel
import ServerCore
import Testing
import WireProtocol

/// What a player can work out again from the lines they read, and nothing else.
struct RecordOfLines {
    private let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    /// SHA-256 of what a spectator would have read up to the nonce, without the lines that only tell the time.
    var digest: String {
        let verbs = ["found", "seat", "number", "order", "moved", "forfeit", "over"]
        let kept = self.lines.filter { line in verbs.contains { line.hasPrefix($0 + " ") } }.map { line in
            if line.hasPrefix("over "), let nonce = line.firstRange(of: " nonce=") {
                return String(line[..<nonce.lowerBound])
            }
            guard line.hasPrefix("found "), let seat = line.value("seat") else { return line }
            return line.replacing(" seat=\(seat)", with: "")
        }
        return Self.hex(Digest.sha256(kept.flatMap { Array("\($0)\n".utf8) }))
    }

    /// Numbers in order of seats, each seat's last one.
    var finalNumbers: [UInt32] {
        var numbers: [Int: UInt32] = [:]
        for line in self.lines.lines("number") {
            if let seat = Int(line.value("seat") ?? ""), let number = UInt32(line.value("value") ?? "") {
                numbers[seat] = number
            }
        }
        return numbers.keys.sorted().map { numbers[$0] ?? 0 }
    }

    static func hex(_ bytes: Bytes32) -> String {
        bytes.bytes.map { byte in
            let digits = Array("0123456789abcdef")
            return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }

    static func bytes(_ hex: String) -> Bytes32? {
        let digits = hex.compactMap { $0.hexDigitValue }
        guard digits.count == 64 else { return nil }
        return Bytes32((0..<32).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) })
    }
}

struct FairnessTests {
    /// Everything that a player can check once the race is over.
    private func check(_ lines: [String], draw: RaceSettings.Draw, rule: RaceSettings.Rule) throws {
        let over = try #require(lines.line("over"))
        let nonce = try #require(RecordOfLines.bytes(over.value("nonce") ?? ""))
        let sealed = SealedNonce(nonce: nonce)
        #expect(lines.line("found")?.value("seal") == RecordOfLines.hex(Digest.sha256(nonce.bytes)))
        let record = RecordOfLines(lines)
        #expect(record.digest == over.value("digest"))

        let numbers = record.finalNumbers
        let order = try #require(lines.line("order")?.value("seats")).split(separator: ",").compactMap {
            UInt8($0)
        }
        if !lines.contains(where: { $0.hasPrefix("again ") }) {
            let ranked = (1...UInt8(numbers.count)).sorted {
                sealed.rank(of: numbers[Int($0) - 1], round: 1, seat: Seat($0), draw: draw)
                    > sealed.rank(of: numbers[Int($1) - 1], round: 1, seat: Seat($1), draw: draw)
            }
            #expect(order == ranked)
        }
        for line in lines.lines("number") where line.hasSuffix("drawn=server") {
            let round = UInt8(line.value("round") ?? "") ?? 0
            let seat = Seat(UInt8(line.value("seat") ?? "") ?? 1)
            #expect(line.value("value") == "\(sealed.drawnNumber(round: round, seat: seat))")
        }
        let steps = lines.lines("moved").map { $0.value("by") }
        switch rule {
        case .turns:
            var dice = sealed.dice(numbers: numbers)
            #expect(steps == steps.map { _ in "\(dice.roll())" })
        case .dash: #expect(steps.allSatisfy { $0 == "1" })
        }
    }

    @Test func `seal, order, dice and digest can be worked out from the lines a player saw`() throws {
        for rule in RaceSettings.Rule.allCases {
            for draw in RaceSettings.Draw.allCases {
                for (seed, count) in zip(UInt64(1)..., [2, 3, 8]) {
                    var script = ServerScript(seed: seed)
                    let names = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"].prefix(count)
                    let ids = names.map { script.join($0, auto: $0 != "bob") }
                    let options = "rule=\(rule.name) draw=\(draw.name) finish=12"
                    for id in ids { script.type("play \(count) \(options)", id) }
                    script.type("number 4294967295", ids[1])
                    script.type("begin", ids[1])
                    let before = script.read(ids[0])
                    for id in ids.dropFirst() { script.skip(id) }
                    let read = script.playOut(ids)
                    try self.check(before + (read[ids[0]] ?? []), draw: draw, rule: rule)
                }
            }
        }
    }

    @Test func `numbers the server drew and moves it rolled can be checked as well`() throws {
        // Both are silent from the beginning.
        var script = ServerScript()
        let ids = [script.join("ann", auto: false), script.join("bob", auto: false)]
        for id in ids { script.type("play", id) }
        script.pass(seconds: 200)
        let lines = script.read(ids[0])
        #expect(lines.lines("forfeit").count == 1)
        #expect(lines.lines("number").allSatisfy { $0.hasSuffix("drawn=server") })
        try self.check(lines, draw: .highest, rule: .turns)
    }

    @Test func `in a sealed draw the highest number wins no more often than any other`() {
        var first = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            var script = ServerScript(seed: seed)
            let ids = script.race(["ann", "bob"], "draw=sealed", auto: false)
            script.type("number 4294967295", ids[0])
            script.type("number \(seed)", ids[1])
            if script.read(ids[0]).line("order") == "order seats=1,2" { first += 1 }
        }
        #expect((70...130).contains(first))
    }
}
