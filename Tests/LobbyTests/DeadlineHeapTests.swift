import Lobby
import RaceModel
import Testing

struct DeadlineHeapTests {
    /// Method: a sorted array does the same, slowly.
    @Test func `the heap gives back what a sorted list would`() {
        for seed: UInt64 in 1...20 {
            var generator = SeededGenerator(seed: seed)
            var heap = DeadlineHeap<UInt64>()
            var list: [(deadline: Instant, id: UInt64)] = []
            for _ in 0..<400 {
                let id = generator.below(40)
                let deadline = Instant(nanoseconds: Int64(generator.below(100)))
                switch generator.below(4) {
                case 0:
                    heap.set(id, to: nil)
                    list.removeAll { $0.id == id }
                case 1:
                    list.sort { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
                    let due = list.first.flatMap { $0.deadline <= deadline ? $0.id : nil }
                    if due != nil { list.removeFirst() }
                    #expect(heap.popDue(deadline) == due, "seed \(seed)")
                default:
                    heap.set(id, to: deadline)
                    list.removeAll { $0.id == id }
                    list.append((deadline, id))
                }
                #expect(heap.next == list.map(\.deadline).min(), "seed \(seed)")
                #expect(heap.count == list.count, "seed \(seed)")
            }
        }
    }
}
