package import RaceModel

/// The 32 secret bytes from which all chance of one match comes, and what is derived from them.
///
/// The seal is shown when the match is made and the nonce when it ends: then anyone can work out every value
/// below again. All numbers are big-endian; `‖` joins bytes.
package struct SealedNonce: Hashable, Sendable {
    package let nonce: Bytes32
    /// SHA-256(nonce).
    package let seal: Bytes32

    package init(nonce: Bytes32) {
        self.nonce = nonce
        self.seal = Digest.sha256(Self.append(nonce, to: []))
    }

    /// What a number is combined with (XOR) in a sealed draw: the first four bytes of
    /// SHA-256(nonce ‖ "mask" ‖ round ‖ seat).
    package func mask(round: UInt8, seat: Seat) -> UInt32 { self.derive("mask", round, seat) }

    /// What the server draws for a seat that sent no number: the first four bytes of
    /// SHA-256(nonce ‖ "draw" ‖ round ‖ seat).
    package func drawnNumber(round: UInt8, seat: Seat) -> UInt32 { self.derive("draw", round, seat) }

    /// What a number counts for in the order of play; the highest is player 1.
    package func rank(of number: UInt32, round: UInt8, seat: Seat, draw: RaceSettings.Draw) -> UInt32 {
        switch draw {
        case .highest: number
        case .sealed: number ^ self.mask(round: round, seat: seat)
        }
    }

    /// The dice of a match whose seats ended up with these numbers, in seat order. Their key is
    /// SHA-256(nonce ‖ numbers), so that neither the server nor any player chooses the rolls alone.
    package func dice(numbers: [UInt32]) -> DiceStream {
        var message = Self.append(self.nonce, to: [])
        message.reserveCapacity(32 + 4 * numbers.count)
        for number in numbers {
            for shift: UInt32 in [24, 16, 8, 0] { message.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return DiceStream(key: Digest.sha256(message))
    }

    private func derive(_ label: StaticString, _ round: UInt8, _ seat: Seat) -> UInt32 {
        var message = Self.append(self.nonce, to: [])
        message.append(contentsOf: label.description.utf8)
        message.append(round)
        message.append(seat.value)
        return UInt32(truncatingIfNeeded: Digest.sha256(message).words.0 >> 32)
    }

    private static func append(_ bytes: Bytes32, to message: [UInt8]) -> [UInt8] {
        var message = message
        message.reserveCapacity(message.count + 40)
        for index in 0..<32 { message.append(bytes[index]) }
        return message
    }
}
