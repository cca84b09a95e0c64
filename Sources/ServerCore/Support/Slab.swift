/// What a place of a slab can hold.
protocol SlabElement: Sendable {
    /// Lets go of all memory: the place stays, until it is used again.
    mutating func empty()
}

/// Values in numbered places that are used again. An index names one value only: once it is removed, its
/// index is stale, whoever sits in the place next.
///
/// Elements lie side by side and are read in place (hence the forced inlining): a copy of a room would retain
/// all that it holds, several times a move.
struct Slab<Element: SlabElement>: Sendable {
    struct Index: Hashable, Sendable, BitwiseCopyable {
        var slot: UInt32
        var generation: UInt32
    }

    private var elements: [Element] = []
    private var isTaken: [Bool] = []
    private var generations: [UInt32] = []
    private var free: [UInt32] = []

    var count: Int { self.elements.count - self.free.count }

    mutating func insert(_ element: Element) -> Index {
        if let slot = self.free.popLast() {
            self.elements[Int(slot)] = element
            self.isTaken[Int(slot)] = true
            return Index(slot: slot, generation: self.generations[Int(slot)])
        }
        self.elements.append(element)
        self.isTaken.append(true)
        self.generations.append(0)
        return Index(slot: UInt32(self.elements.count - 1), generation: 0)
    }

    func contains(_ index: Index) -> Bool { self.generations[Int(index.slot)] == index.generation }

    mutating func remove(_ index: Index) {
        precondition(self.contains(index))
        self.elements[Int(index.slot)].empty()
        self.isTaken[Int(index.slot)] = false
        self.generations[Int(index.slot)] &+= 1
        self.free.append(index.slot)
    }

    subscript(index: Index) -> Element {
        @inline(__always) _read {
            precondition(self.contains(index))
            yield self.elements[Int(index.slot)]
        }
        @inline(__always) _modify {
            precondition(self.contains(index))
            yield &self.elements[Int(index.slot)]
        }
    }

    /// In order of places.
    var indices: some Sequence<Index> {
        (0..<self.elements.count).lazy.filter { self.isTaken[$0] }
            .map { Index(slot: UInt32($0), generation: self.generations[$0]) }
    }
}
