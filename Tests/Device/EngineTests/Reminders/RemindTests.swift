import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct RemindTests {
    /// What a run tells; every delivery succeeds.
    private func run(_ fixture: EngineFixture, _ now: String) throws -> [DueReminder] {
        try fixture.go(to: now)
        let due = try fixture.store.reminders.due(at: fixture.moment)
        try fixture.store.reminders.noteTold(due, isAll: true, at: fixture.moment)
        return due
    }

    private func set(_ setting: UserSetting, _ value: String, _ fixture: EngineFixture) throws {
        try fixture.store.settings.set(setting, to: value, at: fixture.moment)
    }

    @Test func tellsEachReminderOnce() throws {
        let fixture = try EngineFixture()
        try fixture.add("Netflix")
        try fixture.add("Été 🎉", [.remind: "7,5", .nextBillingOn: "2026-11-26"])
        // The reminder of seven days before became due yesterday.
        #expect(try run(fixture, "2026-11-20T07:00:00Z").isEmpty)
        #expect(try run(fixture, "2026-11-21").map(\.text) == ["Été 🎉: €13.49 due in 5 days, on 2026-11-26"])
        #expect(try run(fixture, "2026-11-21").isEmpty)
        #expect(try run(fixture, "2026-11-22T07:59:00Z").isEmpty)
        #expect(try run(fixture, "2026-11-22").map(\.text) == ["Netflix: €13.49 due in 3 days, on 2026-11-25"])
        #expect(try run(fixture, "2026-11-23").isEmpty)
    }

    @Test func aClockThatRanAheadForgetsNothing() throws {
        let fixture = try EngineFixture()
        try fixture.add("Netflix")
        #expect(try run(fixture, "2026-11-20").isEmpty)
        #expect(try run(fixture, "2026-11-22").map(\.name) == ["Netflix"])
        for ahead in ["2027-03-07", "2031-01-01"] {
            let moment = try EngineFixture.moment(ahead)
            let due = try fixture.store.reminders.due(at: moment)
            try fixture.store.reminders.noteTold(due, isAll: true, at: moment)
        }
        #expect(try run(fixture, "2026-11-23").isEmpty)
    }

    @Test func whatWasNotDeliveredIsToldByTheNextRun() throws {
        let fixture = try EngineFixture()
        try fixture.add("a")
        try fixture.add("b")
        #expect(try run(fixture, "2026-11-20").isEmpty)
        try fixture.go(to: "2026-11-22")
        let due = try fixture.store.reminders.due(at: fixture.moment)
        #expect(due.map(\.name) == ["a", "b"])
        try fixture.store.reminders.noteTold([due[0]], isAll: false, at: fixture.moment)
        #expect(try run(fixture, "2026-11-27").map(\.text) == ["b: €13.49 was due on 2026-11-25, not confirmed"])
        #expect(try run(fixture, "2026-11-28").isEmpty)
    }

    @Test func remindersBegunByAClockThatWasAheadBeginAgain() throws {
        let fixture = try EngineFixture()
        try fixture.add("Netflix")
        let ahead = try EngineFixture()
        try ahead.add("Netflix")
        #expect(try run(ahead, "2036-11-20").isEmpty)
        for device in [fixture, ahead] {
            #expect(try run(device, "2026-11-21").isEmpty)
            #expect(
                try run(device, "2026-11-22").map(\.text) == ["Netflix: €13.49 due in 3 days, on 2026-11-25"])
        }
    }

    @Test func settledChargesAreNotTold() throws {
        let fixture = try EngineFixture()
        let ids = try ["a", "b", "c"].map { try fixture.add($0) }
        #expect(try run(fixture, "2026-11-20").isEmpty)
        try fixture.store.ledger.confirm(try fixture.occurrence(ids[0], "2026-11-25"), at: fixture.moment)
        try fixture.store.ledger.skip(try fixture.occurrence(ids[1], "2026-11-25"), at: fixture.moment)
        try fixture.store.subscriptions.setState(
            ids[2], .cancelled, from: try fixture.day("2026-11-24"), at: fixture.moment)
        #expect(try run(fixture, "2026-11-22").isEmpty)
        #expect(
            try run(fixture, "2026-12-22").map(\.text) == [
                "a: €13.49 due in 3 days, on 2026-12-25", "b: €13.49 due in 3 days, on 2026-12-25",
            ])
    }

    @Test func settingsHoldForAllAndCanBeUndone() throws {
        let fixture = try EngineFixture()
        try fixture.add("a")
        try fixture.add("b", [.remind: "1"])
        #expect(try run(fixture, "2026-11-20T05:00:00Z").isEmpty)
        try set(.reminderDays, "5", fixture)
        try set(.reminderTime, "07:15", fixture)
        try set(.reminderQuietHours, "none", fixture)
        #expect(try fixture.store.reminders.policy().days == [5])
        #expect(try run(fixture, "2026-11-20T06:14:59Z").isEmpty)
        #expect(try run(fixture, "2026-11-20T06:15:00Z").map(\.name) == ["a"])
        try fixture.store.journal.undo(3, at: fixture.moment)
        #expect(try fixture.store.reminders.policy() == ReminderPolicy())
        for (setting, value) in [
            (UserSetting.reminderDays, "x"), (.reminderTime, "25:00"), (.reminderQuietHours, "22"),
            (.reminderKinds, "money"), (.reminderCancelByDays, "400"),
        ] {
            #expect(throws: DeviceStoreError.self, "\(setting)") { try set(setting, value, fixture) }
        }
    }

    @Test func trialsDeadlinesAndPrices() throws {
        let fixture = try EngineFixture()
        try fixture.add("Trial", [.trialEndsOn: "2026-12-10", .nextBillingOn: "2026-12-10"])
        try fixture.add(
            "Contract", [.contractEndsOn: "2026-12-31", .noticeDays: "30", .extensionMonths: "12", .remind: ""])
        let dearer = try fixture.add("Dearer", [.nextBillingOn: "2026-12-20"])
        try fixture.store.subscriptions.setPrice(
            dearer, "15.99", from: try fixture.day("2026-12-08"), at: fixture.moment)
        var told: [String] = []
        for day in 20...30 {
            told += try run(fixture, "2026-11-\(day)").map { "\(day) \($0.kind.rawValue) \($0.name)" }
        }
        for day in 1...12 {
            told += try run(fixture, "2026-12-\(day < 10 ? "0" : "")\(day)").map {
                "\(day) \($0.kind.rawValue) \($0.name)"
            }
        }
        #expect(
            told == [
                "25 cancel_by Trial", "28 cancel_by Contract", "5 price_change Dearer", "6 cancel_by Trial",
                "7 trial_end Trial",
            ])
    }

    @Test func mutedKindsAreNotTold() throws {
        let fixture = try EngineFixture()
        try fixture.add("a", [.trialEndsOn: "2026-11-25", .remind: "default,no-trial_end,no-cancel_by"])
        #expect(try run(fixture, "2026-11-20").isEmpty)
        // The charge of the day takes the place of the end of the trial.
        #expect(try run(fixture, "2026-11-22").map(\.kind) == [.charge])
        let other = try EngineFixture()
        try other.add("a")
        try set(.reminderKinds, "trial_end,budget", other)
        #expect(try run(other, "2026-11-22").isEmpty)
    }

    @Test func budgetsAt80And100Percent() throws {
        let fixture = try EngineFixture()
        for day in ["02", "09", "16"] { try fixture.add(day, [.nextBillingOn: "2026-12-\(day)", .remind: ""]) }
        try fixture.store.budgets.set(
            category: nil, amount: "33", currency: "EUR", period: .month, at: fixture.moment)
        #expect(try run(fixture, "2026-12-03").isEmpty)
        #expect(
            try run(fixture, "2026-12-10").map(\.text) == [
                "All subscriptions: 80 % of the monthly budget reached: €26.98 of €33.00 spent"
            ])
        #expect(try run(fixture, "2026-12-12").isEmpty)
        #expect(
            try run(fixture, "2026-12-17").map(\.message) == [
                "100 % of the monthly budget reached: €40.47 of €33.00 spent"
            ])
        #expect(try run(fixture, "2026-12-31").isEmpty)
        #expect(try run(fixture, "2027-01-17").count == 1)
    }

    /// Every run of half a year, against the reminders that a plain loop over days names.
    @Test func aHalfYearOfRunsTellsEveryReminderOfEachCharge() throws {
        let fixture = try EngineFixture()
        let cycles = ["monthly", "weekly", "every:10d", "quarterly", "every:5m"]
        for (number, cycle) in cycles.enumerated() {
            try fixture.add(cycle, [.cycle: cycle, .nextBillingOn: "2026-11-\(26 + number)", .remind: "5,1"])
        }
        var told: [String] = []
        var wanted: [String] = []
        let start = try fixture.day("2026-11-20")
        for number in 0..<180 {
            told += try run(fixture, start.adding(days: number).iso).map(\.id)
            let today = start.adding(days: number)
            for days in [5, 1] {
                let day = today.adding(days: days)
                wanted += try fixture.store.ledger.occurrences(from: day, through: day, at: fixture.moment)
                    .map { Reminder.id(of: $0.id, offsetDays: days) }
            }
        }
        #expect(told.sorted() == wanted.sorted())
        #expect(Set(told).count == told.count && told.count > 80)
    }

    @Test func whatWasToldStaysOnTheDevice() throws {
        let fixture = try EngineFixture()
        try fixture.add("a")
        #expect(try run(fixture, "2026-11-20").isEmpty)
        #expect(try run(fixture, "2026-11-22").count == 1)
        let backup = try fixture.backup()
        #expect(!String(decoding: backup, as: UTF8.self).contains("reminded"))
        try fixture.store.journal.undo(at: fixture.moment)
        try fixture.store.journal.redo(at: fixture.moment)
        #expect(try run(fixture, "2026-11-22").isEmpty)
        try fixture.store.backups.restore(backup, at: fixture.moment)
        #expect(try run(fixture, "2026-11-22").isEmpty)
    }

    @Test func theCalendarHasAlarmsTrialEndsAndDeadlines() throws {
        let fixture = try EngineFixture()
        let id = try fixture.add(
            "Été, 🎉", [.trialEndsOn: "2026-12-10", .nextBillingOn: "2026-12-10", .remind: "7,0"])
        let text = try fixture.store.portability.export(.ical, language: .french, at: fixture.moment)
        let event = { (uid: String) in
            text.components(separatedBy: "BEGIN:VEVENT").first { $0.contains("UID:\(id.lowercased)-\(uid)@subguard") }
                ?? ""
        }
        #expect(event("trial-end-2026-12-10").contains("SUMMARY:Fin de l’essai\u{202F}: Été\\, 🎉\r\n"))
        let deadline = event("cancel-by-2026-12-10")
        #expect(deadline.contains("SUMMARY:Dernier jour pour résilier\u{202F}: Été"))
        #expect(deadline.contains("DTSTART;VALUE=DATE:20261209") && deadline.contains("TRIGGER:-P13DT15H0M0S\r\n"))
        let charge = event("2027-01-10")
        #expect(charge.contains("TRIGGER:-P6DT15H0M0S\r\n") && charge.contains("TRIGGER:PT9H0M0S\r\n"))
    }
}
