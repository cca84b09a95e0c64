import RaceModel
import Records
import ServerCore

/// The server, with or without a planted fault between it and the network.
struct ServerUnderTest: Sendable {
    private var server: RaceServer
    private let fault: PlantedFault?
    /// Whose hold was left out.
    private var unheld: Set<ConnectionID> = []
    private var chance: SeededGenerator

    init(_ server: RaceServer, fault: PlantedFault?, chance: SeededGenerator) {
        self.server = server
        self.fault = fault
        self.chance = chance
    }

    /// Another server in its place.
    mutating func startAnew(_ server: RaceServer) {
        self.server = server
        self.unheld = []
    }

    var nextDeadline: Instant? { mutating get { self.server.nextDeadline } }
    var census: Census { self.server.census }

    mutating func handle(_ input: Input, now: Instant, into outbox: inout Outbox) {
        guard let fault else { return self.server.handle(input, now: now, into: &outbox) }
        switch (fault, input) {
        case (.loseClosed, .closed) where self.chance.chance(100): return
        case (.loseAnswer, .answered) where self.chance.chance(50): return
        default: break
        }
        self.server.handle(input, now: now, into: &outbox)
        self.tamper(fault, &outbox)
    }

    private mutating func tamper(_ fault: PlantedFault, _ outbox: inout Outbox) {
        var outputs: [Output] = []
        var connections: [ConnectionID] = []
        for case .send(let id, _) in outbox.outputs where !connections.contains(id) { connections.append(id) }
        for output in outbox.outputs {
            guard case .send(let id, let range) = output else {
                self.tamper(fault, output, &outputs)
                continue
            }
            switch fault {
            case .dropMessage where self.chance.chance(2): break
            case .doubleMessage where self.chance.chance(2): outputs += [output, output]
            case .wrongReceiver where connections.count > 1 && self.chance.chance(10):
                outputs.append(.send(connections.first { $0 != id } ?? id, range))
            case .swapWinner:
                outputs.append(self.swapWinner(in: range, for: id, &outbox))
            default: outputs.append(output)
            }
        }
        outbox.outputs = outputs
        var errands: [Errand] = []
        for errand in outbox.errands {
            switch (fault, errand) {
            case (.doubleResult, .results(_, .keep(_))) where self.chance.chance(50):
                errands += [errand, errand]
            case (.loseResult, .results(_, .keep(_))) where self.chance.chance(50): break
            default: errands.append(errand)
            }
        }
        outbox.errands = errands
    }

    private mutating func tamper(_ fault: PlantedFault, _ output: Output, _ outputs: inout [Output]) {
        switch (fault, output) {
        case (.tellUnkept, .hold(let id)) where self.chance.chance(100): self.unheld.insert(id)
        case (.tellUnkept, .release(let id)) where self.unheld.remove(id) != nil: break
        default: outputs.append(output)
        }
    }

    /// Of one receiver in ten, in the binary dialect: GameOver is type 3; its winner stands behind length,
    /// type, number
    /// and the flag.
    private mutating func swapWinner(in range: Range<Int>, for id: ConnectionID, _ outbox: inout Outbox)
        -> Output
    {
        var bytes = Array(outbox.bytes[range])
        var start = 0
        var isChanged = false
        while start + 8 < bytes.count, bytes[start] < 0x10 {
            let length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
            if bytes[start + 2] == 3, bytes[start + 8] > 0, self.chance.chance(100) {
                bytes[start + 8] = bytes[start + 8] == 1 ? 2 : 1
                bytes[start + 7] = bytes[start + 8] == 1 ? 1 : 0
                isChanged = true
            }
            start += 2 + length
        }
        guard isChanged else { return .send(id, range) }
        let copy = outbox.bytes.count
        outbox.bytes += bytes
        return .send(id, copy..<outbox.bytes.count)
    }
}
