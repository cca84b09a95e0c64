import Foundation
import FuzzTargets
import RaceModel
import Testing

/// What fuzzing found is taken again with every run of the tests.
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    /// The corpus of a target: every file, sorted by name.
    private static func corpus(_ target: any FuzzTarget.Type) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Self.folder.appending(path: target.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test(arguments: FuzzTargets.all.map { $0.name })
    func `every input of the corpus is taken without a finding`(name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        let corpus = try Self.corpus(target)
        #expect(corpus.count >= 20, "a corpus this small shows nothing")
        for (file, bytes) in corpus {
            if let finding = target.run(bytes) { Issue.record("\(name)/\(file): \(finding)") }
        }
    }

    // Goal: the entry points bear what no corpus holds. Method: inputs of the corpus, changed and joined.
    @Test(arguments: FuzzTargets.all.map { $0.name })
    func `mutated inputs of the corpus are taken without a finding`(name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        let corpus = try Self.corpus(target).map(\.bytes)
        let seed = UInt64(0xCA7)
        var generator = SeededGenerator(seed: seed)
        func draw(_ bound: Int) -> Int { Int(generator.below(UInt64(bound))) }
        print("\(name): mutated with seed \(seed)")
        for round in 0..<400 {
            var input = corpus[draw(corpus.count)]
            if draw(4) == 0 { input += corpus[draw(corpus.count)] }
            for _ in 0...draw(4) where !input.isEmpty {
                let place = draw(input.count)
                switch draw(4) {
                case 0: input[place] = UInt8(draw(256))
                case 1: input.remove(at: place)
                case 2: input.insert(UInt8(draw(256)), at: place)
                default: input.insert(contentsOf: input[place...].prefix(1 + draw(20)), at: draw(place + 1))
                }
            }
            if let finding = target.run(Array(input.prefix(4096))) {
                Issue.record("\(name), seed \(seed), round \(round): \(finding): \(input)")
                return
            }
        }
    }

    @Test func `the corpus is small enough to be kept`() throws {
        var bytes = 0
        for target in FuzzTargets.all { bytes += try Self.corpus(target).reduce(0) { $0 + $1.bytes.count } }
        #expect(bytes < 500_000)
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(
            Set(folders) == Set(FuzzTargets.all.map { $0.name }), "a folder for each target, and no other")
    }
}
