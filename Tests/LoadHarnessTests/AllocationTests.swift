import Glibc
import Testing

struct AllocationTests {
    private static let program = "../release/core-bench"

    /// Goal: in steady state the core allocates nothing for a move. Method: an optimised program whose malloc counts
    /// plays endless races until every buffer has its size, and then so many moves more; not one may allocate.
    @Test(
        .enabled(
            if: unsafe access(Program.path(Self.program), X_OK) == 0,
            "on demand: swift build -c release --product core-bench (make test does it)"))
    func `a move allocates nothing`() throws {
        for (matches, active) in [(1, 1), (50, 20)] {
            let bench = try Program(Self.program, ["\(matches)", "\(active)", "20000"])
            let (text, status) = bench.finish()
            #expect(status == 0, "\(text)")
            var values: [Substring: Int] = [:]
            for word in text.split(whereSeparator: \.isWhitespace) {
                let parts = word.split(separator: "=")
                if parts.count == 2 { values[parts[0]] = Int(parts[1]) }
            }
            #expect(values["moves"] == 20000)
            #expect(values["allocations"] == 0, "\(text)")
            // The counter counts.
            #expect(try #require(values["allocations-before"]) > 100 * matches, "\(text)")
        }
    }
}
