package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Reads subscriptions with their prices and states, and the decisions about charges from the day of the projection on.
package struct SubscriptionTable {
    let session: any SQLSession

    package init(_ session: any SQLSession) { self.session = session }

    package func number(of id: UUID) throws -> Int64? {
        try session.first("SELECT num FROM subscriptions WHERE id = ?", [.uuid(id)]) { try $0.integer(0) }
    }

    package func requireNumber(of id: UUID) throws -> Int64 {
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

    package func load(_ id: UUID) throws -> Subscription {
        guard let subscription = try find(id) else {
            throw DeviceStoreError.notFound(.subscription, id: id.lowercased)
        }
        return subscription
    }

    package func load(number: Int64) throws -> Subscription {
        guard let id = try id(of: number) else { throw SQLError.malformed("subscription number") }
        return try load(id)
    }

    /// All subscriptions with their row numbers, in the order of their entry. Uses one query per table.
    package func all() throws -> [(number: Int64, subscription: Subscription)] { try rows(in: nil) }

    /// - Parameter chosen: the row numbers of those that are wanted; nil for all.
    private func rows(in chosen: [Int64]?) throws -> [(number: Int64, subscription: Subscription)] {
        // One parameter, however many they are.
        let arguments: [SQLValue] = chosen.map { [.text("[" + $0.map(String.init).joined(separator: ",") + "]")] } ?? []
        let isChosen = { (column: String) in
            chosen == nil ? "TRUE" : "\(column) IN (SELECT value FROM json_each(?1))"
        }
        var prices: [Int64: [DatedPrice]] = [:]
        let priceSQL = """
            SELECT subscription, from_day, amount, currency FROM prices \
            WHERE is_removed = 0 AND \(isChosen("subscription")) ORDER BY subscription, from_day
            """
        try session.forEach(priceSQL, arguments) { row in
            prices[try row.integer(0), default: []].append(try Self.price(row, at: 1))
        }
        var states: [Int64: [StoredState]] = [:]
        let stateSQL = """
            SELECT \(StoredState.columns), subscription FROM entered_states WHERE \(isChosen("subscription"))
            """
        try session.forEach(stateSQL, arguments) { row in
            states[try row.integer(StoredState.width), default: []].append(try StoredState(row))
        }
        var decisions: [Int64: [(day: CalendarDay, fate: Int64, paid: Int64?, code: String?)]] = [:]
        let decisionSQL = """
            SELECT subscription, due_day, fate, paid, paid_currency FROM ledger \
            WHERE fate IN (1, 2, 3) AND (fate <> 3 OR acted_at IS NOT NULL) \
            AND due_day >= (SELECT as_of FROM store) AND \(isChosen("subscription"))
            """
        try session.forEach(decisionSQL, arguments) { row in
            let fate = try row.integer(2)
            guard fate == Self.skipped || !row.isNull(3) else { return }
            decisions[try row.integer(0), default: []].append(
                (try row.day(1), fate, try row.optionalInteger(3), row.isNull(4) ? nil : try row.text(4)))
        }
        let table = EntityTables.subscriptions
        let condition = isChosen("num")
        let numbers = try session.query(
            "SELECT num FROM subscriptions WHERE \(condition) ORDER BY created_at, id", arguments
        ) { try $0.integer(0) }
        let rowSQL =
            chosen == nil
            ? table.selectAll : table.selectAll.replacing(" ORDER BY ", with: " WHERE \(condition) ORDER BY ")
        let rows = try session.query(rowSQL, arguments, table.read)
        return try zip(numbers, rows).map { number, row in
            var subscription = try Subscription(row)
            subscription.prices = prices[number] ?? []
            subscription.states = StoredState.settled(states[number] ?? [])
            for decision in decisions[number] ?? [] {
                subscription.decide(decision.day, fate: decision.fate, paid: decision.paid, code: decision.code)
            }
            return (number, subscription)
        }
    }

    /// Up to this many are read one by one.
    private static let few = 20

    /// The subscriptions with a date in a range of days: a start, a price, a state, the start or end of a trial, or
    /// the end of a term.
    func changed(from first: CalendarDay, through last: CalendarDay) throws -> [Subscription] {
        // What ends on a day is over on the next one.
        let days: [SQLValue] = [.day(first > .earliest ? first.adding(days: -1) : first), .day(last)]
        let sql = """
            SELECT num FROM subscriptions WHERE started_on BETWEEN ?1 AND ?2 OR trial_ends_on BETWEEN ?1 AND ?2 \
            OR trial_starts_on BETWEEN ?1 AND ?2 OR ends_on BETWEEN ?1 AND ?2 UNION SELECT subscription FROM prices \
            WHERE from_day BETWEEN ?1 AND ?2 AND is_removed = 0 \
            UNION SELECT subscription FROM entered_states WHERE from_day BETWEEN ?1 AND ?2
            """
        return try load(numbers: Array(Set(try session.query(sql, days) { try $0.integer(0) })))
    }

    /// The ids of those that are paid through another one.
    func parts() throws -> Set<UUID> {
        Set(try session.query("SELECT id FROM subscriptions WHERE bundled_in IS NOT NULL", []) { try $0.uuid(0) })
    }

    /// As `Subscription.comingBilling(onOrAfter:)`; nil for a part of a bundle that is over by then.
    func comingBilling(of subscription: Subscription, onOrAfter day: CalendarDay) throws -> CalendarDay? {
        var bundles: [UUID: Subscription] = [:]
        return try comingBilling(of: subscription, onOrAfter: day, &bundles)
    }

    /// - Parameter bundles: those that were read already, for the other parts of a list.
    func comingBilling(
        of subscription: Subscription, onOrAfter day: CalendarDay, _ bundles: inout [UUID: Subscription]
    ) throws -> CalendarDay? {
        guard let next = subscription.comingBilling(onOrAfter: day),
            try !isOverWithBundle(subscription, on: next, &bundles)
        else { return nil }
        return next
    }

    /// Whether what includes a subscription is over on a day.
    func isOverWithBundle(
        _ subscription: Subscription, on day: CalendarDay, _ bundles: inout [UUID: Subscription]
    ) throws -> Bool {
        var seen: Set<UUID> = [subscription.id]
        var outer = subscription.bundledIn
        while let id = outer, seen.insert(id).inserted, seen.count <= Self.mostBundles,
            let bundle = try bundles[id] ?? find(id)
        {
            bundles[id] = bundle
            if bundle.status(on: day).isOver { return true }
            outer = bundle.bundledIn
        }
        return false
    }

    /// Subscriptions by their row numbers, in no order to rely on.
    func load(numbers: [Int64]) throws -> [Subscription] {
        numbers.count <= Self.few
            ? try numbers.sorted().map { try load(number: $0) } : try rows(in: numbers).map(\.subscription)
    }

    private func subscription(_ row: EntityRow, number: Int64) throws -> Subscription {
        var subscription = try Subscription(row)
        let prices = """
            SELECT from_day, amount, currency FROM prices WHERE subscription = ? AND is_removed = 0 ORDER BY from_day
            """
        subscription.prices = try session.query(prices, [.integer(number)]) { try Self.price($0, at: 0) }
        subscription.states = try states(of: number)
        let decisions = """
            SELECT due_day, fate, paid, paid_currency FROM ledger WHERE subscription = ? \
            AND due_day >= (SELECT as_of FROM store) \
            AND (fate = 3 AND acted_at IS NOT NULL OR fate IN (1, 2) AND paid IS NOT NULL)
            """
        try session.forEach(decisions, [.integer(number)]) { row in
            subscription.decide(
                try row.day(0), fate: try row.integer(1), paid: try row.optionalInteger(2),
                code: row.isNull(3) ? nil : try row.text(3))
        }
        return subscription
    }

    /// How many levels of bundles in bundles there can be: each is read for each subscription in it.
    static let mostBundles = 16

    fileprivate static let skipped = Int64(OccurrenceFate.skipped.rawValue)

    /// A price, from three columns: day, amount, currency.
    static func price(_ row: any SQLRow, at column: Int) throws -> DatedPrice {
        guard let currency = Currency(code: try row.text(column + 2)) else { throw SQLError.malformed("currency") }
        return DatedPrice(
            from: try row.day(column), amount: Money(minorUnits: try row.integer(column + 1), currency: currency))
    }
}

extension UnitOfWork {
    package var subscriptions: SubscriptionTable { SubscriptionTable(session) }

    /// Writes a new or changed subscription with its prices and states, and updates the projection.
    package func save(_ subscription: Subscription) throws {
        try requireLinks(subscription)
        try requireSameDecimals(subscription)
        let hasKept = try keepConfirmedAmounts(of: subscription)
        try EntityTables.subscriptions.save([.uuid(subscription.id)], subscription.rowValues, in: self)
        let number = try subscriptions.requireNumber(of: subscription.id)
        try savePrices(subscription, number)
        try saveStates(subscription, number)
        let projection = SubscriptionProjection(session: session, today: today)
        try projection.keepPosted(of: subscription, number: number)
        // With the amounts of charges that are confirmed ahead.
        try projection.rebuild(hasKept ? try subscriptions.load(number: number) : subscription, number: number)
    }

    /// Deletes a subscription with everything that belongs to it. Those that it included are charged by themselves from
    /// today on; what was charged until now stays.
    func remove(_ subscription: Subscription) throws {
        let included = try session.query(
            "SELECT num FROM subscriptions WHERE bundled_in = ? ORDER BY created_at, id", [.uuid(subscription.id)]
        ) { try $0.integer(0) }
        try session.execute(EntityTables.subscriptions.deleteSQL, [.uuid(subscription.id)])
        for number in included {
            var part = try subscriptions.load(number: number)
            part.trackedFrom = max(part.trackedFrom, today)
            try along { try save(part) }
        }
    }

    /// Records the amounts at which charges were confirmed, where the price of their day changes: a new price does not
    /// change what was paid. Returns whether there were any.
    private func keepConfirmedAmounts(of subscription: Subscription) throws -> Bool {
        guard let former = try subscriptions.find(subscription.id),
            former.price != subscription.price || former.prices != subscription.prices
        else { return false }
        var hasKept = false
        let number = try subscriptions.requireNumber(of: subscription.id)
        let sql = """
            SELECT due_day FROM ledger WHERE subscription = ? AND \(OccurrenceReader.shownFate) IN (1, 2) \
            AND paid IS NULL
            """
        for day in try session.query(sql, [.integer(number)], { try $0.day(0) }) {
            let (key, price) = ([SQLValue.integer(number), .day(day)], former.price(on: day))
            guard price != subscription.price(on: day),
                var values = try EntityTables.ledger.row(key, in: session)?.values
            else { continue }
            values[2...] = [.integer(price.minorUnits), .text(price.currency.code)]
            if try along({ try EntityTables.ledger.save(key, values, in: self) }) { hasKept = true }
        }
        return hasKept
    }

    private func savePrices(_ subscription: Subscription, _ number: Int64) throws {
        for price in subscription.prices {
            try EntityTables.prices.save(
                [.integer(number), .day(price.from)],
                [.integer(price.minorUnits), .text(price.amount.currency.code), .flag(false)], in: self)
        }
        try remove(from: EntityTables.prices, of: number, except: Set(subscription.prices.map(\.from)))
    }

    /// Takes back the dated rows of a subscription that it no longer has.
    func remove(from table: EntityTable, of number: Int64, except kept: Set<CalendarDay>) throws {
        let sql = "SELECT from_day FROM \(table.name) WHERE subscription = ? AND is_removed = 0"
        let days = try session.query(sql, [.integer(number)]) { try $0.day(0) }
        for day in days where !kept.contains(day) { try table.remove([.integer(number), .day(day)], in: self) }
    }

    /// Refuses a currency with a different number of decimals when there are fixed shares, of today or later. These are
    /// stored in minor units without a currency, so they would change by a factor of 100 or more.
    private func requireSameDecimals(_ subscription: Subscription) throws {
        let share = """
            SELECT 1 FROM shares h JOIN subscriptions s ON s.num = h.subscription \
            WHERE s.id = ?1 AND h.split = 'exact' AND h.parts != '' UNION ALL \
            SELECT 1 FROM share_periods h JOIN subscriptions s ON s.num = h.subscription \
            WHERE s.id = ?1 AND h.split = 'exact' AND h.parts != '' AND h.is_removed = 0 AND NOT EXISTS (\
            SELECT 1 FROM share_periods l WHERE l.subscription = h.subscription AND l.is_removed = 0 \
            AND l.from_day > h.from_day AND l.from_day <= ?2)
            """
        guard try session.first(share, [.uuid(subscription.id), .day(today)], { _ in true }) != nil,
            let old = try subscriptions.find(subscription.id),
            old.currency.exponent != subscription.currency.exponent
        else { return }
        throw Fault(
            "currency", .tooManyDecimals,
            "Cannot change to a currency with other decimals: fixed shares use the current one.")
    }

    private func requireLinks(_ subscription: Subscription) throws {
        for (field, id) in [("bundled_in", subscription.bundledIn), ("replaced_by", subscription.replacedBy)] {
            if let id, try subscriptions.number(of: id) == nil {
                throw Fault(field, .notFound, "No such subscription.")
            }
        }
        guard let bundle = subscription.bundledIn, try subscriptions.find(subscription.id)?.bundledIn != bundle else {
            return
        }
        // Subscriptions that include each other would never be counted.
        var seen: Set<UUID> = [subscription.id]
        var next: UUID? = bundle
        while let id = next {
            guard seen.count <= SubscriptionTable.mostBundles else {
                throw Fault("bundled_in", .outOfRange, "Must be in at most \(SubscriptionTable.mostBundles) bundles.")
            }
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
    /// Takes over a row of the ledger about a coming charge.
    ///
    /// - Parameter code: the currency of the amount paid; nil for that of the price.
    fileprivate mutating func decide(_ day: CalendarDay, fate: Int64, paid: Int64?, code: String?) {
        if fate == SubscriptionTable.skipped {
            decisions[day] = .skipped
        } else if let paid {
            let currency = code.flatMap(Currency.init(code:)) ?? price(on: day).currency
            decisions[day] = .paid(Money(minorUnits: paid, currency: currency))
        }
    }

    /// In the column order of ``EntityTables/subscriptions``.
    var rowValues: [SQLValue] {
        [
            .text(name), .integer(price.minorUnits), .text(price.currency.code), .day(schedule.anchor),
            .text(cycle.wire),
            .day(trackedFrom), .day(startedOn), .instant(createdAt), .text(scope.rawValue),
            .text(category.wire), .day(orNull: trial?.endsOn),
            .flag(trial?.converts ?? true), .day(orNull: trial?.startsOn), .day(orNull: endsOn),
            .day(orNull: contract.endsOn),
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
        guard let scope = SubscriptionScope(rawValue: try values.text()) else { throw SQLError.malformed("scope") }
        self.scope = scope
        category = try SubscriptionCategory(try values.text())
        let trialEndsOn = try values.optionalDay()
        let converts = try values.flag()
        let trialStartsOn = try values.optionalDay()
        trial = trialEndsOn.map { Trial(endsOn: $0, converts: converts, startsOn: trialStartsOn) }
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
