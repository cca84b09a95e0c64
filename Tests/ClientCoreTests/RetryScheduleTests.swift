import RaceModel
import Testing

@testable import ClientCore

@Suite struct RetryScheduleTests {
    @Test func `waits double from half a second to ten, each between half of it and all of it`() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var schedule = RetrySchedule(patience: .seconds(600), generator: SeededGenerator(seed: seed))
            var now = Instant.zero
            for longest in [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000] as [Int64] {
                let next = schedule.next(now: now)
                let due = try #require(next, "seed \(seed)")
                let wait = (due - now).nanoseconds
                #expect(wait >= longest * 500_000 && wait <= longest * 1_000_000, "seed \(seed): \(wait)")
                now = due
            }
        }
    }

    @Test func `it gives up once its patience is over, and a connection gives it new patience`() {
        var schedule = RetrySchedule(patience: .seconds(60), generator: SeededGenerator(seed: 7))
        var now = Instant(nanoseconds: 5)
        var attempts = 0
        while let due = schedule.next(now: now) {
            now = due
            attempts += 1
            #expect(now - Instant(nanoseconds: 5) <= .seconds(60))
        }
        #expect((8...14).contains(attempts))
        #expect(schedule.attempt == attempts)
        schedule.reset()
        #expect(schedule.attempt == 0)
        #expect(schedule.next(now: now) != nil)
    }

    @Test func `two clients do not come back at the same moments`() {
        var waits: Set<Int64> = []
        for seed in 1...100 as ClosedRange<UInt64> {
            var schedule = RetrySchedule(generator: SeededGenerator(seed: seed))
            waits.insert(schedule.next(now: .zero)?.nanoseconds ?? -1)
        }
        #expect(waits.count > 90)
    }
}
