import RaceModel

/// Somebody who plays: a name, and the program they run now.
struct Person: Sendable {
    let number: Int
    /// Names taken so far: each new one is another player.
    var names = 0
    var alias: String
    var key: PlayerKey?
    var program: Int?
    let speaksText: Bool
    /// Milliseconds between looking up.
    let attention: ClosedRange<Int>

    init(number: Int, speaksText: Bool, attention: ClosedRange<Int>) {
        self.number = number
        self.speaksText = speaksText
        self.attention = attention
        self.alias = ""
        self.takeNewName()
    }

    mutating func takeNewName() {
        self.names += 1
        self.key = nil
        self.alias = "p\(self.number).\(self.names)"
    }
}
