import Dispatch
import EventLoop
import Lobby
import Records
import Store

/// Keeps the players and results on a queue of its own, so that no look-up ever delays a move.
struct DirectoryQueue: Sendable {
    struct Request: Sendable {
        enum Subject: Sendable {
            case directory(DirectoryRequest)
            case results(ResultRequest)
        }
        var id: LookUpID
        var subject: Subject
    }

    struct Answer: Sendable {
        enum Subject: Hashable, Sendable {
            case directory(DirectoryAnswer)
            case results(ResultAnswer)
        }
        var id: LookUpID
        var subject: Subject
    }

    private let store = QueueConfined(MemoryStore(), on: DispatchQueue(label: "catrace.directory"))

    /// Answers all together, on the directory's queue. Requests are served in order.
    func ask(_ requests: [Request], then deliver: @escaping @Sendable ([Answer]) -> Void) {
        self.store.enqueue { store in
            var answers: [Answer] = []
            for request in requests {
                let answer: Answer.Subject? =
                    switch request.subject {
                    case .directory(let directory): store.answer(directory).map { .directory($0) }
                    case .results(let results): store.answer(results).map { .results($0) }
                    }
                if let answer { answers.append(Answer(id: request.id, subject: answer)) }
            }
            if !answers.isEmpty { deliver(answers) }
        }
    }
}
