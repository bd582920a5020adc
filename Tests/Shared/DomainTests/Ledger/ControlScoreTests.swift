import SubGuardDomain
import TestKit
import Testing

@Suite struct ControlScoreTests {
    @Test func nothingDueHasNoScore() {
        let score = ControlScore(confirmed: 0, late: 0, missed: 0, skipped: 4)
        #expect(score.percentText == nil && score.rating == nil && score.due == 0)
        #expect(score.explanation(.french) == ["Aucune échéance ces 90 derniers jours."])
    }

    @Test(arguments: [
        (2, 0, 1, "66.7", ControlScore.Rating.orange), (1, 0, 0, "100.0", .green), (0, 0, 3, "0.0", .red),
        (0, 1, 0, "50.0", .orange), (8, 0, 2, "80.0", .orange), (81, 0, 19, "81.0", .green), (0, 1, 7, "6.2", .red),
        (0, 3, 5, "18.8", .red), (499, 0, 501, "49.9", .red), (4999, 1, 5000, "50.0", .red),
    ])
    func countsLateOnesHalf(
        _ confirmed: Int, _ late: Int, _ missed: Int, _ percent: String, _ rating: ControlScore.Rating
    ) {
        let score = ControlScore(confirmed: confirmed, late: late, missed: missed)
        #expect(score.percentText == percent)
        #expect(score.rating == rating)
    }

    @Test func confirmingNeverLowersIt() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let score = ControlScore(
                confirmed: Int.random(in: 0...500, using: &random), late: Int.random(in: 0...500, using: &random),
                missed: Int.random(in: 1...500, using: &random))
            let better = score.afterConfirmingOneMissed
            #expect((better.percentTenths ?? 0) >= (score.percentTenths ?? 0))
            var today = score
            today.confirmed += 1
            #expect((today.percentTenths ?? 0) >= (score.percentTenths ?? 0))
            #expect((0...1000).contains(score.percentTenths ?? -1))
        }
    }

    @Test func fatesBecomeStatuses() throws {
        let today = try SubscriptionFixture.day("2026-11-20")
        let status = { (fate: OccurrenceFate, day: String) in
            fate.status(billingOn: try SubscriptionFixture.day(day), today: today)
        }
        #expect(try status(.open, "2026-11-19") == .missed)
        #expect(try status(.open, "2026-11-20") == .pending)
        #expect(try status(.open, "2026-11-27") == .pending)
        #expect(try status(.open, "2026-11-28") == .expected)
        #expect(OccurrenceFate.open.confirmed(billingOn: today, today: today) == .confirmed)
        #expect(OccurrenceFate.open.confirmed(billingOn: today, today: today.adding(days: 1)) == .late)
        #expect(
            OccurrenceFate.confirmed.confirmed(billingOn: today, today: today.adding(days: 1)) == .confirmed)
    }

    @Test func occurrenceIDsAreReadBack() throws {
        let id = OccurrenceID(
            subscriptionID: SubscriptionFixture.id, billingOn: try SubscriptionFixture.day("2024-02-29"))
        #expect(OccurrenceID(wire: id.wire) == id)
        for wrong in [
            "", "x:2026-01-01", id.wire + " ", id.subscriptionID.lowercased,
            id.subscriptionID.lowercased + ":2026-02-30",
        ] {
            #expect(OccurrenceID(wire: wrong) == nil)
        }
    }
}
