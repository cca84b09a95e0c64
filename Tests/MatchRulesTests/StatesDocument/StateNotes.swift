import MatchRules
import RaceModel

/// What a table cannot say about a state.
struct StateNotes {
    var waitsFor: String
    var atFault: String
    var atDeadline: String
    var onDrop: String
    var onLeave: String
    var onReturn: String

    private static let dropBeforeRace =
        "The seat is held and everybody sees the countdown; the clock goes on. If the time is up first,"
        + " the match is cancelled."
    private static let leaveBeforeRace =
        "The match is cancelled without a result; the others go back to the head of the queue with "
        + "their old waiting time."
    private static let dropInRace =
        "The seat is held and everybody sees the countdown; the clock goes on. If the time is up first,"
        + " the player forfeits."

    static let waitingForMatch = StateNotes(
        waitsFor:
            "every seat to be taken and every player's alias to be looked up. Numbers that come early "
            + "are kept.",
        atFault: "the seat that nobody took, or nobody: an alias is the server's to find.",
        atDeadline:
            "Without the aliases that did not come the draw opens, and such players are shown as "
            + "`player-17`. When a seat was not taken, the match is cancelled.",
        onDrop: Self.dropBeforeRace, onLeave: Self.leaveBeforeRace,
        onReturn: "The seat is theirs again, with the number they sent.")

    static let waitingForRandomNumber = StateNotes(
        waitsFor:
            "a number from each seat that draws: in round 1 everybody, later those who are tied. "
            + "Numbers are hidden until all of the round are in; then all are shown, in order of seats.",
        atFault: "each seat whose number is missing.",
        atDeadline:
            "The server draws for the silent seats, and says so. Equal numbers open the next round "
            + "among the tied alone, who settle the places they share. The players draw "
            + "\(Limits.playerDrawRounds) rounds themselves; from then on the server draws for the tied, "
            + "and who is still tied after \(Limits.drawRounds) rounds is ordered by seat.",
        onDrop: Self.dropBeforeRace, onLeave: Self.leaveBeforeRace,
        onReturn: "The seat is theirs again. A number the server has drawn for them stays.")

    static let waitingForStart = StateNotes(
        waitsFor: "player 1 to begin. The order of play is known.",
        atFault: "player 1.",
        atDeadline: "The server begins in player 1's place, and says so.",
        onDrop: Self.dropBeforeRace, onLeave: Self.leaveBeforeRace,
        onReturn: "The seat is theirs again; player 1 can still begin.")

    static let turns = StateNotes(
        waitsFor:
            "the player on turn to move. A move is one roll of the die; the first to reach or pass the "
            + "finish wins.",
        atFault: "the player on turn.",
        atDeadline:
            "The server rolls for the player on turn. When it rolled their last turn too, they forfeit "
            + "instead. A move of their own in between makes good for the one missed.",
        onDrop: Self.dropInRace,
        onLeave:
            "The player forfeits. Turns pass them over; the last one left in the race wins. If that one"
            + " is gone, the race waits for them: they win when they return, and it is abandoned when "
            + "their time is up.",
        onReturn: "The race goes on as it stands. Who returns as the last one left has won.")

    static let dash = StateNotes(
        waitsFor: "any move. Everybody may move at any time, one step a move; the first at the finish wins.",
        atFault: "everybody in the race.",
        atDeadline:
            "The leader wins: who is furthest on, and of several on one field who came there first. "
            + "When nobody in the race has moved there is no result.",
        onDrop: Self.dropInRace,
        onLeave:
            "The player forfeits; the last one left in the race wins. If that one is gone, the race "
            + "waits for them: they win when they return, and it is abandoned when their time is up.",
        onReturn: "The race goes on as it stands. Who returns as the last one left has won.")

    static let done = StateNotes(
        waitsFor: "everyone who is still there to want a rematch. The race and its outcome no longer change.",
        atFault: "nobody: a rematch is a wish.",
        atDeadline:
            "The match is closed. If a seat is held, only those who are here are done with it: the held one stays, "
            + "so that its player can still be told how the race ended.",
        onDrop: "The seat is held. If the time is up first, the player has left.",
        onLeave:
            "Their wish goes with them. When all the others agree they race again; with fewer than two "
            + "left, and none of them gone, the match is closed.",
        onReturn:
            "The seat is theirs again, and their wish stands. They are told how the race ended; if nobody else is "
            + "left, the match is closed then.")
}
