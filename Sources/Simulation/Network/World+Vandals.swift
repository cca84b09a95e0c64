import RaceModel
import ServerCore
import WireProtocol

/// Connections that send garbage. Nobody judges what they get; the server must go on as if they had never
/// come.
extension World {
    mutating func sendVandal() {
        guard self.phase == .racing, let pause = self.weather.vandals else { return }
        self.queue.plan(.vandal, at: self.now + .seconds(self.chance.within(pause)))
        // Some bring more connections than they can have.
        for _ in 0..<(self.chance.chance(100) ? 30 : 1) { self.sendGarbage() }
    }

    private mutating func sendGarbage() {
        let id = self.open(program: nil)
        self.note("a vandal comes on \(id.slot).\(id.generation)")
        self.write(self.garbage(), from: id)
        if self.chance.chance(300) { self.endOutput(of: id) }
        if let slot = self.slot(of: id) { self.planLoss(slot, .reset, within: 100...70_000) }
        self.queue.plan(.hangUp(id), at: self.now + self.chance.milliseconds(50...70_000))
    }

    private mutating func garbage() -> [UInt8] {
        var bytes: [UInt8] = []
        switch self.chance.below(9) {
        case 0: return self.noise(self.chance.within(1...600))
        case 1:
            Preface.append(Preface.Offer(lowest: 1, highest: 1), to: &bytes)
            return bytes + self.noise(self.chance.within(1...600))
        case 2: return Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        case 3: return [0x16, 3, 1] + self.noise(40)
        case 4: return [UInt8](repeating: UInt8(ascii: "a"), count: self.chance.within(500...2000))
        case 5: return []
        case 6:
            let guesses = (0..<5).map { _ in "name #\(self.chance.below(20)) \(self.guess())\n" }
            return Array(guesses.joined().utf8)
        case 7:
            let lines = [
                "help", "who", "alias 1", "move", "join BALU-KITO-RA", "name v\(self.chance.below(1000))",
            ]
            return Array(String(repeating: self.chance.pick(lines) + "\n", count: 700).utf8)
        default:
            // Frames that were good before a few bytes changed.
            Preface.append(Preface.Offer(lowest: 1, highest: self.chance.chance(800) ? 1 : 0), to: &bytes)
            BinaryEncoder.append(.hello(Hello(name: "v\(self.chance.below(1000))")), to: &bytes)
            BinaryEncoder.append(.findMatch(Self.fashion(using: &self.chance)), to: &bytes)
            BinaryEncoder.append(.lookUpAliases([PlayerID(self.chance.next()), PlayerID(1)]), to: &bytes)
            BinaryEncoder.append(.watch(MatchID(self.chance.below(50))), to: &bytes)
            BinaryEncoder.append(.leave, to: &bytes)
            for _ in 0..<self.chance.within(0...4) {
                bytes[self.chance.within(8...bytes.count - 1)] = UInt8(truncatingIfNeeded: self.chance.next())
            }
            return bytes
        }
    }

    /// 32 hexadecimal digits.
    private mutating func guess() -> String {
        (0..<2).map { _ in
            let digits = String(self.chance.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private mutating func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: self.chance.next() >> 32) }
    }
}
