import Dispatch
import EventLoop
import Lobby
import Store

/// Keeps the players on a queue of its own, so that no look-up ever delays a move.
struct DirectoryQueue: Sendable {
    struct Request: Sendable {
        var id: LookUpID
        var request: DirectoryRequest
    }

    struct Answer: Sendable {
        var id: LookUpID
        var answer: DirectoryAnswer
    }

    private let store = QueueConfined(MemoryStore(), on: DispatchQueue(label: "catrace.directory"))

    /// Answers all together, on the directory's queue. Requests are served in order.
    func ask(_ requests: [Request], then deliver: @escaping @Sendable ([Answer]) -> Void) {
        self.store.enqueue { store in
            var answers: [Answer] = []
            for request in requests {
                guard let answer = store.answer(request.request) else { continue }
                answers.append(Answer(id: request.id, answer: answer))
            }
            if !answers.isEmpty { deliver(answers) }
        }
    }
}
