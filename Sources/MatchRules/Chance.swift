package import RaceModel

/// Where a match's chance comes from. In production all of it follows from the match's sealed nonce.
package protocol Chance {
    /// The next roll of the die: 1...6.
    mutating func roll() -> UInt8
    /// The number drawn for a seat that is silent or asks for it.
    func number(round: UInt8, seat: Seat) -> UInt32
    /// In draw `sealed`, what a seat's number is XORed with before numbers are ranked.
    func mask(round: UInt8, seat: Seat) -> UInt32
}
