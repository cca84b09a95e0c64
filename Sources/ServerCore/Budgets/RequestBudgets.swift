package import RaceModel

/// How much one connection may ask for, by kind.
package struct RequestBudgets: Hashable, Sendable {
    /// Moves and what else brings a race on, when they are refused; what counts costs nothing.
    package var refusedMoves = Limits.refusedMoves
    package var lookUps = Limits.lookUps
    package var lists = Limits.lists
    package var inviting = Limits.inviting
    /// All else.
    package var talk = Limits.talk
    /// Errors for asking too much, before the connection is closed.
    package var slowDowns = Limits.slowDowns

    package init() {}
}

/// What a request is charged to.
enum RequestKind: Sendable {
    case refusedMoves, lookUps, lists, inviting, talk

    /// What is over, when it is.
    var name: String {
        switch self {
        case .refusedMoves: "refused moves"
        case .lookUps: "look-ups of aliases"
        case .lists: "lists"
        case .inviting: "invites and codes"
        case .talk: "requests"
        }
    }
}

/// What one connection has left.
struct RequestPurses: Sendable, BitwiseCopyable {
    private var refusedMoves = Budget.Purse()
    private var lookUps = Budget.Purse()
    private var lists = Budget.Purse()
    private var inviting = Budget.Purse()
    private var talk = Budget.Purse()
    var slowDowns = Budget.Purse()

    subscript(kind: RequestKind) -> Budget.Purse {
        get {
            switch kind {
            case .refusedMoves: self.refusedMoves
            case .lookUps: self.lookUps
            case .lists: self.lists
            case .inviting: self.inviting
            case .talk: self.talk
            }
        }
        set {
            switch kind {
            case .refusedMoves: self.refusedMoves = newValue
            case .lookUps: self.lookUps = newValue
            case .lists: self.lists = newValue
            case .inviting: self.inviting = newValue
            case .talk: self.talk = newValue
            }
        }
    }
}

extension RequestBudgets {
    subscript(kind: RequestKind) -> Budget {
        switch kind {
        case .refusedMoves: self.refusedMoves
        case .lookUps: self.lookUps
        case .lists: self.lists
        case .inviting: self.inviting
        case .talk: self.talk
        }
    }
}
