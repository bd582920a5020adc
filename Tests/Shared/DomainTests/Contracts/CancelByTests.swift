import SubGuardDomain
import TestKit
import Testing

@Suite struct CancelByTests {
    private func cancelBy(_ draft: SubscriptionDraft, today: String = "2026-11-20") throws -> CancelBy? {
        try SubscriptionFixture.make(draft).cancelBy(today: try SubscriptionFixture.day(today))
    }

    @Test func withoutTermsItIsTheDayBeforeTheCharge() throws {
        let found = try #require(try cancelBy([:]))
        #expect(found.lastDay.iso == "2026-11-24" && found.avoids.iso == "2026-11-25" && found.reason == .renewal)
        #expect(try cancelBy([:], today: "2026-11-25")?.lastDay.iso == "2026-12-24")
    }

    @Test func noticeIsCountedBackFromTheEndOfTheTerm() throws {
        let terms: SubscriptionDraft = [.contractEndsOn: "2026-12-31", .noticeDays: "30", .extensionMonths: "12"]
        let found = try #require(try cancelBy(terms))
        #expect(found.lastDay.iso == "2026-12-01" && found.avoids.iso == "2027-01-25" && found.reason == .contract)
        // It would be extended by twelve months.
        #expect(found.amount.decimal == "161.88")
        #expect(try cancelBy(terms, today: "2026-12-01")?.lastDay.iso == "2026-12-01")
        // Too late for this term: the next one ends a year later.
        #expect(try cancelBy(terms, today: "2026-12-02")?.lastDay.iso == "2027-12-01")
    }

    @Test func aTermWithoutExtensionGoesOnFromChargeToCharge() throws {
        let terms: SubscriptionDraft = [.contractEndsOn: "2026-11-30", .noticeDays: "14"]
        #expect(try cancelBy(terms, today: "2026-11-16")?.lastDay.iso == "2026-11-16")
        // The notice ends on the last day that is paid for, as a term does.
        #expect(try cancelBy(terms, today: "2026-11-17")?.lastDay.iso == "2026-12-10")
    }

    @Test func theMinimumTermBinds() throws {
        let found = try #require(try cancelBy([.minimumMonths: "24", .noticeDays: "31"]))
        #expect(found.avoids.iso == "2028-11-25" && found.lastDay.iso == "2028-10-19")
    }

    @Test func namesADayOnWhichSomethingIsCharged() throws {
        for cycle in ["every:4w", "weekly", "quarterly", "yearly"] {
            let terms: SubscriptionDraft = [.cycle: cycle, .minimumMonths: "3", .extensionMonths: "1"]
            let subscription = try SubscriptionFixture.make(terms)
            let found = try #require(subscription.cancelBy(today: try SubscriptionFixture.day("2026-11-20")))
            #expect(subscription.isCharged(on: found.avoids), "\(cycle)")
            #expect(found.lastDay < found.avoids, "\(cycle)")
        }
        // Charged once a year: the terms of a month before the charge cost nothing, so the last day is in the one
        // before it.
        let yearly = try #require(
            try cancelBy([.cycle: "yearly", .contractEndsOn: "2026-12-20", .extensionMonths: "1", .noticeDays: "14"]))
        #expect(yearly.avoids.iso == "2027-11-25" && yearly.lastDay.iso == "2027-11-06")
    }

    @Test func theAmountIsWhatIsReallyAvoided() throws {
        #expect(try cancelBy([:])?.amount.decimal == "13.49")
        var dearer = try SubscriptionFixture.make([.contractEndsOn: "2026-12-31", .extensionMonths: "12"])
        dearer.setPrice(2000, from: try SubscriptionFixture.day("2027-07-01"))
        let today = try SubscriptionFixture.day("2026-11-20")
        #expect(dearer.cancelBy(today: today)?.amount.decimal == "200.94")
        // A trial that becomes a contract of a year.
        let trial = try #require(try cancelBy([.trialEndsOn: "2026-12-05", .minimumMonths: "12"]))
        #expect(trial.avoids.iso == "2026-12-25" && trial.amount.decimal == "148.39")
    }

    @Test func whatIsSkippedOrPaidCannotBeAvoided() throws {
        var subscription = try SubscriptionFixture.make()
        let (today, next) = (try SubscriptionFixture.day("2026-11-20"), try SubscriptionFixture.day("2026-11-25"))
        for decision in [ChargeDecision.skipped, .paid(Money(minorUnits: 1200, currency: .eur))] {
            subscription.decisions = [next: decision]
            #expect(subscription.cancelBy(today: today)?.avoids.iso == "2026-12-25")
        }
    }

    @Test func aTrialIsLeftBeforeItConverts() throws {
        let found = try #require(try cancelBy([.trialEndsOn: "2026-12-05"]))
        #expect(found.lastDay.iso == "2026-12-04" && found.reason == .trial)
    }

    @Test func whatIsNotChargedHasNone() throws {
        #expect(try cancelBy([.cycle: "lifetime"]) == nil)
        #expect(try cancelBy([.status: "paused"]) == nil)
        #expect(try cancelBy([.status: "cancelled"]) == nil)
        let bundle = "01a1f866-0d00-760d-b139-6c6ff0b1b12c"
        #expect(try cancelBy([.bundledIn: bundle]) == nil)
        #expect(try cancelBy([.bundledIn: bundle, .contractEndsOn: "2026-12-31", .noticeDays: "30"]) == nil)
    }

    /// Paused, it is still a contract.
    @Test func aPauseThatEndsLeavesTheLastDay() throws {
        let (today, end) = (try SubscriptionFixture.day("2026-11-20"), try SubscriptionFixture.day("2027-01-10"))
        var gym = try SubscriptionFixture.make([
            .contractEndsOn: "2027-01-31", .noticeDays: "30", .extensionMonths: "12",
        ])
        let before = try #require(gym.cancelBy(today: today))
        try gym.pause(from: today, through: end)
        #expect(gym.status(on: today) == .paused && gym.cancelBy(today: today) == before)
        #expect(before.lastDay.iso == "2027-01-01" && before.amount.decimal == "161.88")
        #expect(gym.commitment(cancelledOn: today)?.amounts.map(\.decimal) == ["13.49"])
        #expect(gym.cancellationDay(today: today).iso == "2027-02-01")
        var plain = try SubscriptionFixture.make()
        try plain.pause(from: today, through: end)
        let found = try #require(plain.cancelBy(today: today))
        #expect(found.lastDay.iso == "2027-01-24" && found.avoids.iso == "2027-01-25")
        #expect(plain.cancellationDay(today: today) == today)
    }

    @Test func aTrialThatDoesNotConvertHasNone() throws {
        let trial: SubscriptionDraft = [.trialEndsOn: "2026-12-05", .trialConverts: "false"]
        #expect(try cancelBy(trial) == nil)
        #expect(try cancelBy(trial.merging([.noticeDays: "30"]) { $1 }) == nil)
        // A billing day within it is not charged, and after it there is none.
        #expect(try cancelBy(trial.merging([.cycle: "weekly"]) { $1 }) == nil)
    }

    @Test func anEndThatIsNotedAlreadyLeavesNothingToCancel() throws {
        #expect(try cancelBy([.endsOn: "2026-11-30"])?.lastDay.iso == "2026-11-24")
        #expect(try cancelBy([.endsOn: "2026-11-30"], today: "2026-11-26") == nil)
        var subscription = try SubscriptionFixture.make([.contractEndsOn: "2026-12-31", .extensionMonths: "12"])
        subscription.setState(.cancelled, from: try SubscriptionFixture.day("2027-01-01"))
        #expect(subscription.cancelBy(today: try SubscriptionFixture.day("2026-11-20")) == nil)
    }

    /// The notice period of a service is that of its paid contract: a trial ends without one.
    @Test func aTrialTakesNoNoticeOfTheCatalogue() throws {
        let trial = try SubscriptionFixture.make([
            .nextBillingOn: "2026-12-05", .trialEndsOn: "2026-12-05", .noticeDays: "30",
        ])
        let today = try SubscriptionFixture.day("2026-11-20")
        let found = try #require(trial.cancelBy(today: today, catalogueNotice: 30))
        #expect(found.lastDay.iso == "2026-12-04" && found.avoids.iso == "2026-12-05" && found.reason == .trial)
        #expect(trial.cancellationDay(today: found.lastDay, catalogueNotice: 30) == found.lastDay)
        // Another one was typed: on 20 November it is too late for it.
        #expect(trial.cancelBy(today: today, catalogueNotice: 14)?.reason == .renewal)
        let typed = try SubscriptionFixture.make([.trialEndsOn: "2026-12-05", .noticeDays: "7"])
        #expect(typed.cancelBy(today: today, catalogueNotice: 30)?.lastDay.iso == "2026-11-28")
        // After the trial, the notice holds, wherever it is from.
        let later = try #require(trial.cancelBy(today: trial.trial?.endsOn ?? today, catalogueNotice: 30))
        #expect(later.reason == .renewal && later.lastDay.days(until: later.avoids) == 31)
    }

    /// A charge on the last day of a term is the first of the next one.
    @Test func theChargeOnTheLastDayOfATermIsAvoided() throws {
        for terms in [SubscriptionDraft](
            [[:], [.extensionMonths: "12"], [.noticeDays: "5"], [.noticeDays: "5", .extensionMonths: "1"]])
        {
            let found = try #require(
                try cancelBy(terms.merging([.contractEndsOn: "2026-11-25"]) { $1 }, today: "2026-11-18"))
            #expect(found.avoids.iso == "2026-11-25" && found.reason == .contract, "\(terms)")
            #expect(found.lastDay.iso == (terms[.noticeDays] == nil ? "2026-11-24" : "2026-11-19"), "\(terms)")
        }
        // Every day is charged: the last one is of the term.
        let daily = try #require(try cancelBy([.cycle: "daily", .contractEndsOn: "2026-11-30"]))
        #expect(daily.lastDay.iso == "2026-11-30" && daily.avoids.iso == "2026-12-01")
    }

    @Test("Cancelling on the day that is named avoids the charge that is named")
    func theNamedDayAvoidsTheNamedCharge() throws {
        let day = SubscriptionFixture.day
        let today = try day("2026-11-20")
        let ends = [nil, "2026-11-24", "2026-11-25", "2026-11-26", "2026-12-20", "2026-12-25", "2027-02-28"]
        var count = 0
        for cycle in ["daily", "weekly", "every:4w", "monthly", "quarterly", "yearly"] {
            for (end, months) in ends.flatMap({ end in [0, 1, 12].map { (end, $0) } }) {
                for (notice, minimum) in [(0, 0), (1, 0), (14, 0), (31, 0), (0, 3), (30, 24)] {
                    for (trial, pause) in [
                        (nil, nil), ("2026-11-30", nil), ("2026-12-25", nil), (nil, "2026-12-10"),
                        ("2026-12-25", "2027-01-10"),
                    ] {
                        var draft: SubscriptionDraft = [
                            .cycle: cycle, .noticeDays: "\(notice)", .extensionMonths: "\(months)",
                            .minimumMonths: "\(minimum)",
                        ]
                        draft[.contractEndsOn] = end
                        draft[.trialEndsOn] = trial
                        var subscription = try SubscriptionFixture.make(draft)
                        if let pause { try subscription.pause(from: today, through: day(pause)) }
                        for catalogueNotice in [nil, notice] {
                            let found = subscription.cancelBy(today: today, catalogueNotice: catalogueNotice)
                            guard let found else { continue }
                            #expect(found.lastDay >= today && subscription.isCharged(on: found.avoids), "\(draft)")
                            let on = subscription.cancellationDay(
                                today: found.lastDay, catalogueNotice: catalogueNotice)
                            #expect(on <= found.avoids, "\(draft): \(found), takes effect on \(on)")
                            count += 1
                        }
                    }
                }
            }
        }
        #expect(count > 2000)
    }
}
