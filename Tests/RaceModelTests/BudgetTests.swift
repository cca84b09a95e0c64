import RaceModel
import Testing

struct BudgetTests {
    private static func take(
        _ count: Int, from purse: inout Budget.Purse, _ budget: Budget, _ now: Instant
    ) -> [Bool] {
        (0..<count).map { _ in purse.take(budget, now: now) }
    }

    @Test func `a purse gives what may come at once, and then one each interval`() {
        let budget = Budget(perSecond: 4, burst: 3)
        var purse = Budget.Purse()
        var now = Instant(nanoseconds: 12_345)
        #expect(Self.take(5, from: &purse, budget, now) == [true, true, true, false, false])
        now = now + Instant.Span(nanoseconds: 249_999_999)
        #expect(Self.take(1, from: &purse, budget, now) == [false])
        #expect(purse.wait(budget, now: now).nanoseconds == 1)
        now = now + Instant.Span(nanoseconds: 1)
        #expect(Self.take(2, from: &purse, budget, now) == [true, false])
        // All is there again after a while, and no more than all.
        now = now + .seconds(1000)
        #expect(Self.take(4, from: &purse, budget, now) == [true, true, true, false])
    }

    @Test func `what is given back can be taken again`() {
        let budget = Budget(perHour: 2, burst: 1)
        var purse = Budget.Purse()
        #expect(Self.take(1, from: &purse, budget, .zero) == [true])
        #expect(purse.wait(budget, now: .zero) == .seconds(1800))
        purse.giveBack(budget)
        #expect(Self.take(2, from: &purse, budget, .zero) == [true, false])
    }

    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00"), (-1, "1969-12-31 23:59:59"), (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"), (951_868_800, "2000-03-01 00:00:00"),
            (1_798_131_600, "2026-12-24 17:00:00"), (4_107_542_400, "2100-03-01 00:00:00"),
            (253_402_300_799, "9999-12-31 23:59:59"), (1_709_251_199, "2024-02-29 23:59:59"),
            (-2_203_891_200, "1900-03-01 00:00:00"),
        ] as [(Int64, String)])
    func `seconds are a date and a time of day`(seconds: Int64, text: String) {
        #expect(WallTime(seconds: seconds).description == "\(text) UTC")
    }

    @Test func `a time that could not be written is the last that can`() {
        #expect(WallTime(seconds: 5).adding(seconds: .max).description == "9999-12-31 23:59:59 UTC")
        #expect(WallTime(seconds: 5).adding(seconds: 60).seconds == 65)
    }
}
