import RaceModel
import Testing

@testable import Store

struct SortedListTests {
    @Test func `it holds what a sorted array holds`() {
        var generator = SeededGenerator(seed: 3)
        var list = SortedList<UInt64>()
        var model: [UInt64] = []
        for step in 0..<6000 {
            let element = generator.below(3000)
            if let index = model.firstIndex(of: element) {
                if generator.below(3) == 0 {
                    list.remove(element)
                    model.remove(at: index)
                }
            } else {
                list.insert(element)
                model.insert(element, at: model.firstIndex { $0 > element } ?? model.count)
            }
            guard step % 100 == 0 else { continue }
            #expect(list.count == model.count)
            #expect(list.elements(from: 0, limit: 10_000) == model)
            let start = Int(generator.below(UInt64(model.count + 2)))
            #expect(list.elements(from: start, limit: 5) == Array(model.dropFirst(start).prefix(5)))
            #expect(list.count(before: element) == model.count { $0 < element })
        }
        for element in model { list.remove(element) }
        list.remove(7)
        #expect(list.count == 0 && list.elements(from: 0, limit: 5) == [] && list.count(before: 4) == 0)
    }
}
