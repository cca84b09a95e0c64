/// A fault that is put into the server on purpose, to see that it is found.
package enum PlantedFault: String, CaseIterable, Sendable {
    /// Now and then a message is not sent.
    case dropMessage = "drop-message"
    /// Now and then a message is sent twice.
    case doubleMessage = "double-message"
    /// Now and then one of those who are told the winner is told another.
    case swapWinner = "swap-winner"
    /// Now and then the server does not hear that a connection is gone.
    case loseClosed = "lose-closed"
    /// Now and then an answer of the store is lost.
    case loseAnswer = "lose-answer"
    /// Now and then somebody is told how a race ended before that is kept.
    case tellUnkept = "tell-unkept"
    /// Now and then a result is kept twice.
    case doubleResult = "double-result"
    /// Now and then a result is not kept.
    case loseResult = "lose-result"
    /// Now and then a message goes to a connection it is not for.
    case wrongReceiver = "wrong-receiver"
}
