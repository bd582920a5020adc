import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads subscriptions with their prices and states.
struct SubscriptionTable {
    let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    func number(of id: UUID) throws -> Int64? {
        try session.first("SELECT num FROM subscriptions WHERE id = ?", [.uuid(id)]) { try $0.integer(0) }
    }

    func requireNumber(of id: UUID) throws -> Int64 {
        guard let number = try number(of: id) else {
            throw DeviceStoreError.notFound(.subscription, id: id.lowercased)
        }
        return number
    }

    func id(of number: Int64) throws -> UUID? {
        try session.first("SELECT id FROM subscriptions WHERE num = ?", [.integer(number)]) { try $0.uuid(0) }
    }

    func find(_ id: UUID) throws -> Subscription? {
        guard let number = try number(of: id),
            let row = try EntityTables.subscriptions.row([.uuid(id)], in: session)
        else { return nil }
        return try subscription(row, number: number)
    }

    func load(_ id: UUID) throws -> Subscription {
        guard let subscription = try find(id) else {
            throw DeviceStoreError.notFound(.subscription, id: id.lowercased)
        }
        return subscription
    }

    func load(number: Int64) throws -> Subscription {
        guard let id = try id(of: number) else { throw SQLError.malformed("subscription number") }
        return try load(id)
    }

    /// All subscriptions with their row numbers, in the order in which they were added. Uses one query per table.
    func all() throws -> [(number: Int64, subscription: Subscription)] {
        var prices: [Int64: [DatedPrice]] = [:]
        let priceSQL = """
            SELECT p.subscription, p.from_day, p.amount FROM prices p JOIN subscriptions s ON s.num = p.subscription \
            WHERE p.currency = s.currency ORDER BY p.subscription, p.from_day
            """
        try session.forEach(priceSQL, []) { row in
            let price = DatedPrice(from: try row.day(1), minorUnits: try row.integer(2))
            prices[try row.integer(0), default: []].append(price)
        }
        var states: [Int64: [DatedState]] = [:]
        try session.forEach("SELECT subscription, from_day, state FROM states ORDER BY subscription, from_day", []) {
            row in
            states[try row.integer(0), default: []].append(try Self.state(row, at: 1))
        }
        let table = EntityTables.subscriptions
        let numbers = try session.query("SELECT num FROM subscriptions ORDER BY num") { try $0.integer(0) }
        let rows = try session.query(table.selectAll, [], table.read)
        return try zip(numbers, rows).map { number, row in
            var subscription = try Subscription(row)
            subscription.prices = prices[number] ?? []
            subscription.states = states[number] ?? []
            return (number, subscription)
        }
    }

    private func subscription(_ row: EntityRow, number: Int64) throws -> Subscription {
        var subscription = try Subscription(row)
        let prices = "SELECT from_day, amount FROM prices WHERE subscription = ? AND currency = ? ORDER BY from_day"
        subscription.prices = try session.query(prices, [.integer(number), .text(subscription.currency.code)]) { row in
            DatedPrice(from: try row.day(0), minorUnits: try row.integer(1))
        }
        let states = "SELECT from_day, state FROM states WHERE subscription = ? ORDER BY from_day"
        subscription.states = try session.query(states, [.integer(number)]) { try Self.state($0, at: 0) }
        return subscription
    }

    private static func state(_ row: any SQLRow, at column: Int) throws -> DatedState {
        guard let state = SubscriptionState(rawValue: Int(try row.integer(column + 1))) else {
            throw SQLError.malformed("state")
        }
        return DatedState(from: try row.day(column), state: state)
    }
}

extension UnitOfWork {
    var subscriptions: SubscriptionTable { SubscriptionTable(session) }

    /// Writes a new or changed subscription with its prices and states, and updates the projection.
    func save(_ subscription: Subscription) throws {
        try requireLinks(subscription)
        try requireSameDecimals(subscription)
        try EntityTables.subscriptions.save([.uuid(subscription.id)], subscription.rowValues, in: self)
        let number = try subscriptions.requireNumber(of: subscription.id)
        try savePrices(subscription, number)
        for state in subscription.states {
            try EntityTables.states.save(
                [.integer(number), .day(state.from)], [.count(state.state.rawValue)], in: self)
        }
        try SubscriptionProjection(session, today: today).rebuild(subscription, number: number)
    }

    /// Deletes a subscription with everything that belongs to it. Those that it included are charged by themselves again.
    func remove(_ subscription: Subscription) throws {
        let included = try session.query(
            "SELECT num FROM subscriptions WHERE bundled_in = ? ORDER BY created_at, id", [.uuid(subscription.id)]
        ) { try $0.integer(0) }
        try session.execute(EntityTables.subscriptions.deleteSQL, [.uuid(subscription.id)])
        let projection = SubscriptionProjection(session, today: today)
        for number in included {
            try projection.rebuild(try subscriptions.load(number: number), number: number)
        }
    }

    private func savePrices(_ subscription: Subscription, _ number: Int64) throws {
        let code = subscription.currency.code
        for price in subscription.prices {
            try EntityTables.prices.save(
                [.integer(number), .day(price.from)], [.integer(price.minorUnits), .text(code)], in: self)
        }
        // Delete prices that a corrected initial price replaced.
        let kept = Set(subscription.prices.map(\.from))
        let days = try session.query("SELECT from_day FROM prices WHERE subscription = ?", [.integer(number)]) {
            try $0.day(0)
        }
        for day in days where !kept.contains(day) {
            try session.execute(EntityTables.prices.deleteSQL, [.integer(number), .day(day)])
        }
    }

    /// Refuses a currency with a different number of decimals when recorded payments or fixed shares exist. These are stored in
    /// minor units without a currency, so they would change by a factor of 100 or more.
    private func requireSameDecimals(_ subscription: Subscription) throws {
        let sql = "SELECT num, currency FROM subscriptions WHERE id = ?"
        guard
            let present = try session.first(
                sql, [.uuid(subscription.id)], { (number: try $0.integer(0), code: try $0.text(1)) }),
            let old = Currency(code: present.code), old.exponent != subscription.currency.exponent
        else { return }
        let paid = "SELECT 1 FROM ledger WHERE subscription = ? AND paid IS NOT NULL LIMIT 1"
        let share = "SELECT 1 FROM shares WHERE subscription = ? AND split = 'exact' AND parts != '' LIMIT 1"
        for sql in [paid, share] where try session.first(sql, [.integer(present.number)], { _ in true }) != nil {
            throw Fault(
                "currency", .tooManyDecimals,
                "Cannot change to a currency with other decimals: recorded payments or fixed shares use the current one."
            )
        }
    }

    private func requireLinks(_ subscription: Subscription) throws {
        for (field, id) in [("bundled_in", subscription.bundledIn), ("replaced_by", subscription.replacedBy)] {
            if let id, try subscriptions.number(of: id) == nil {
                throw Fault(field, .notFound, "No such subscription.")
            }
        }
        // Subscriptions that include each other would never be counted.
        var seen: Set<UUID> = [subscription.id]
        var next = subscription.bundledIn
        while let id = next {
            guard seen.insert(id).inserted else {
                // Ignore a cycle of other subscriptions, made by a merge.
                guard id == subscription.id else { return }
                throw Fault("bundled_in", .sameItem, "The subscriptions would include each other.")
            }
            let outer = "SELECT bundled_in FROM subscriptions WHERE id = ?"
            next = try session.first(outer, [.uuid(id)], { $0.isNull(0) ? nil : try $0.uuid(0) }) ?? nil
        }
    }
}

extension Subscription {
    /// In the column order of ``EntityTables/subscriptions``.
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
