import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension Subscription {
    /// In the order of ``EntityTables/subscriptions``.
    var rowValues: [SQLValue] {
        [
            .text(name), .integer(price.minorUnits), .text(currency.code), .day(schedule.anchor), .text(cycle.wire),
            .day(trackedFrom), .day(startedOn), .instant(createdAt), .text(category.wire), .day(orNull: trial?.endsOn),
            .flag(trial?.converts ?? true), .day(orNull: endsOn), .day(orNull: contract.endsOn),
            .count(contract.minimumMonths), .count(contract.extensionMonths), .count(contract.noticeDays),
            .flag(isVariable), .text(reminders.wire), .text(details), .text(notes), .text(website),
            .text(paymentMethod), .text(icon), .text(color), .uuid(orNull: catalogueItemID),
            .uuid(orNull: replacedBy), .uuid(orNull: bundledIn),
        ]
    }

    init(_ row: EntityRow) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        let name = try values.text()
        let price = try values.money()
        let anchor = try values.day()
        guard let cycle = BillingCycle(wire: try values.text()) else { throw SQLError.malformed("cycle") }
        let trackedFrom = try values.day()
        self.init(
            id: try key.uuid(), name: name, price: price, schedule: BillingSchedule(anchor: anchor, cycle: cycle),
            startedOn: try values.day(), createdAt: try values.instant())
        self.trackedFrom = trackedFrom
        category = try SubscriptionCategory(try values.text())
        let trialEndsOn = try values.optionalDay()
        let converts = try values.flag()
        trial = trialEndsOn.map { Trial(endsOn: $0, converts: converts) }
        endsOn = try values.optionalDay()
        contract.endsOn = try values.optionalDay()
        contract.minimumMonths = try values.count()
        contract.extensionMonths = try values.count()
        contract.noticeDays = try values.count()
        isVariable = try values.flag()
        reminders = try ReminderPlan(wire: try values.text())
        details = try values.text()
        notes = try values.text()
        website = try values.text()
        paymentMethod = try values.text()
        icon = try values.text()
        color = try values.text()
        catalogueItemID = try values.optionalUUID()
        replacedBy = try values.optionalUUID()
        bundledIn = try values.optionalUUID()
    }
}
