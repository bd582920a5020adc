public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Ledger {
    /// Past and future charges of a range of days, both inclusive, soonest first.
    public func occurrences(from first: CalendarDay, through last: CalendarDay, at moment: Moment) throws
        -> [Occurrence]
    {
        try store.read(at: moment) {
            try OccurrenceReader(session: $0, today: moment.today).range(from: first, through: last)
        }
    }

    /// Charges due from today through today + 7 days that are not confirmed, soonest first.
    public func pending(limit: Int? = nil, at moment: Moment) throws -> [Occurrence] {
        try store.read(at: moment) {
            try OccurrenceReader(session: $0, today: moment.today).pending(on: moment.today, limit: limit)
        }
    }

    /// Past charges that were never confirmed, newest first: the first `limit`, nil for all.
    public func missed(limit: Int? = nil, at moment: Moment) throws -> [Occurrence] {
        try store.read(at: moment) { try OccurrenceReader(session: $0, today: moment.today).missed(limit: limit) }
    }

    /// How many past charges were never confirmed.
    public func missedCount(at moment: Moment) throws -> Int {
        try store.read(at: moment) { session in
            let sql = "SELECT count(*) FROM ledger WHERE fate = 0 AND due_day < ?"
            return try session.count(sql, [.day(moment.today)])
        }
    }

    /// The coming charges of one subscription from today through a day, soonest first, without those that were skipped:
    /// the first `limit`, nil for all.
    public func coming(
        of id: UUID, through last: CalendarDay, limit: Int? = nil, at moment: Moment
    ) throws -> [Occurrence] {
        try store.read(at: moment) { session in
            let subscription = try SubscriptionTable(session).load(id)
            let decided = try OccurrenceReader(session: session, today: moment.today).decisions(
                from: moment.today, through: last)
            let number = try SubscriptionTable(session).requireNumber(of: id)
            var found: [Occurrence] = []
            subscription.visitCharges(from: moment.today, through: last) { day in
                let fate = decided[.init(number: number, day: day.daysSinceEpoch)]?.fate ?? .open
                found.append(
                    Occurrence(
                        id: OccurrenceID(subscriptionID: id, billingOn: day), name: subscription.name,
                        amount: subscription.charge(on: day), fate: fate, today: moment.today))
                return limit.map { found.count < $0 } ?? true
            }
            return found
        }
    }

    /// The Control Score of the last 90 days.
    public func score(at moment: Moment) throws -> ControlScore {
        try store.read(at: moment) { session in
            let start = ControlScore.windowStart(today: moment.today)
            let sql = "SELECT count(*) FROM ledger WHERE fate = ? AND due_day BETWEEN ? AND ?"
            let count = { (fate: OccurrenceFate) in
                // Today's charge counts only once it is confirmed.
                let last = fate == .open ? moment.today.adding(days: -1) : moment.today
                return try session.count(sql, [.count(fate.rawValue), .day(start), .day(last)])
            }
            // Without what was taken back, such as by a later start. As the index has it, or it is not used.
            let skipped = """
                SELECT count(*) FROM ledger INDEXED BY idx_ledger_skipped \
                WHERE fate = 3 AND acted_at IS NOT NULL AND due_day BETWEEN ? AND ?
                """
            return ControlScore(
                confirmed: try count(.confirmed), late: try count(.late), missed: try count(.open),
                skipped: try session.count(skipped, [.day(start), .day(moment.today)]))
        }
    }

    /// The score of each of the last `count` months, this one included, the oldest first: of the charges due in that
    /// month, in the present one until today. From 1 to 120 months; other counts are clamped.
    public func scoreByMonth(_ count: Int = 12, at moment: Moment) throws -> [MonthScore] {
        let count = min(max(count, 1), 120)
        let thisMonth = moment.today.adding(days: 1 - moment.today.day)
        let first = thisMonth.adding(months: 1 - count)
        return try store.read(at: moment) { session in
            let sql = """
                SELECT strftime('%Y-%m', due_day * 86400, 'unixepoch'), fate, count(*) FROM ledger \
                WHERE fate IN (0, 1, 2, 3) AND due_day BETWEEN ? AND ? AND (fate <> 0 OR due_day < ?) \
                AND (fate <> 3 OR acted_at IS NOT NULL) GROUP BY 1, 2
                """
            var counts: [String: [Int64: Int]] = [:]
            let days: [SQLValue] = [.day(first), .day(moment.today), .day(moment.today)]
            try session.forEach(sql, days) { row in
                counts[try row.text(0), default: [:]][try row.integer(1)] = Int(try row.integer(2))
            }
            return (0..<count).map { index in
                let month = first.adding(months: index)
                let of = counts[String(month.iso.prefix(7))] ?? [:]
                return MonthScore(
                    month: month,
                    score: ControlScore(
                        confirmed: of[1] ?? 0, late: of[2] ?? 0, missed: of[0] ?? 0, skipped: of[3] ?? 0))
            }
        }
    }

    /// The content of a widget for the next 24 hours.
    public func widget(_ family: WidgetFamily, at moment: Moment) throws -> WidgetTimeline {
        try store.read(at: moment) { session in
            let reader = OccurrenceReader(session: session, today: moment.today)
            return try WidgetTimeline.make(family: family, now: moment.now, time: moment.time) { day in
                try reader.pending(on: day, limit: family.maximumPayments)
            }
        }
    }

    /// Confirms a charge: in time through its day, late afterwards. Confirming twice changes nothing.
    ///
    /// Throws ``DeviceStoreError/notFound(_:id:)`` when the subscription has no charge on that day.
    ///
    /// For a cycle that is counted from payments, `day` is the day of payment, from which the next charge is counted:
    /// today or before, and at most one cycle before the charge; nil for today. Other cycles accept nil only.
    @discardableResult
    public func confirm(_ id: OccurrenceID, paidOn day: CalendarDay? = nil, at moment: Moment) throws -> Occurrence {
        try confirm([id], paidOn: day, at: moment)[0]
    }

    /// Confirms several charges as one change, which one undo takes back. Returns them in the order given. Several of a
    /// cycle that is counted from payments count as paid on their due days: the next due days stay.
    ///
    /// Confirms none and throws ``DeviceStoreError/notFound(_:id:)`` when one of them does not exist, and a fault of
    /// `on` when `day` is given for several charges of one subscription.
    @discardableResult
    public func confirm(
        _ ids: [OccurrenceID], paidOn day: CalendarDay? = nil, at moment: Moment
    ) throws -> [Occurrence] {
        try store.write(at: moment, as: .chargeConfirmed) { unit in
            var payments: [UUID: Set<OccurrenceID>] = [:]
            let occurrences = try ids.map { id in
                guard day == nil || payments[id.subscriptionID, default: [id]] == [id] else {
                    let name = try unit.subscriptions.load(id.subscriptionID).name
                    throw Fault(
                        "on", .outOfRange, "Is the day of one payment: confirm the charges of \(name) one by one.")
                }
                let (occurrence, isNew) = try pay(id, on: day, in: unit, at: moment)
                if isNew { payments[id.subscriptionID, default: []].insert(id) }
                return occurrence
            }
            // A payment of today for the first of several would move the others, which are confirmed too.
            for id in ids where payments[id.subscriptionID] == [id] {
                try unit.renew(id, paidOn: day ?? moment.today, isNamed: day != nil)
            }
            return occurrences
        }
    }

    /// Records that a charge did not happen; it is ignored in scores and totals. A recorded amount is kept: it counts
    /// again once the charge is confirmed.
    @discardableResult
    public func skip(_ id: OccurrenceID, at moment: Moment) throws -> Occurrence {
        try act(on: id, .chargeSkipped, at: moment) { fate, _ in fate = .skipped }
    }

    /// Skips several charges as one change, which one undo takes back. Returns them in the order given.
    ///
    /// Skips none and throws ``DeviceStoreError/notFound(_:id:)`` when one of them does not exist.
    @discardableResult
    public func skip(_ ids: [OccurrenceID], at moment: Moment) throws -> [Occurrence] {
        try store.write(at: moment, as: .chargeSkipped) { unit in
            try ids.map { id in try act(on: id, in: unit, at: moment) { fate, _ in fate = .skipped } }
        }
    }

    /// Records the amount paid, in the currency of the charge, and confirms the charge; `day` is as for
    /// `confirm(_:paidOn:at:)`.
    @discardableResult
    public func recordPaid(
        _ id: OccurrenceID, amount: String, paidOn day: CalendarDay? = nil, at moment: Moment
    ) throws -> Occurrence {
        let currency = try store.subscriptions.load(id.subscriptionID).price(on: id.billingOn).currency
        let amount = try DeviceStore.mapping {
            try FieldRules.positive(try FieldRules.amount(amount, currency), field: "amount")
        }
        return try store.write(at: moment, as: .chargePaid) { unit in
            let (occurrence, isNew) = try pay(id, amount, on: day, in: unit, at: moment)
            if isNew { try unit.renew(id, paidOn: day ?? moment.today, isNamed: day != nil) }
            return occurrence
        }
    }

    /// Confirms a charge. Returns whether it was paid by that, so that the next one may have to be counted from it.
    private func pay(
        _ id: OccurrenceID, _ amount: Money? = nil, on day: CalendarDay?, in unit: UnitOfWork, at moment: Moment
    ) throws -> (Occurrence, isNew: Bool) {
        if let day, let subscription = try unit.subscriptions.find(id.subscriptionID) {
            guard let days = subscription.paymentDays(of: id.billingOn, today: moment.today) else {
                throw Fault("on", .outOfRange, "The charges of this subscription are not counted from payments.")
            }
            guard days.contains(day) else {
                throw Fault("on", .outOfRange, "Must be from \(days.lowerBound.iso) to \(days.upperBound.iso).")
            }
        }
        var isNew = day != nil
        let actedAt = day.map { $0 < moment.today ? moment.time.instant(on: $0, minuteOfDay: 12 * 60) : moment.now }
        let occurrence = try act(on: id, in: unit, at: moment, actedAt: actedAt) { fate, paid in
            let former = fate
            // A day that is named corrects an earlier one.
            fate = (day == nil ? fate : .open).confirmed(billingOn: id.billingOn, today: day ?? moment.today)
            if let amount { paid = amount }
            isNew = isNew || fate != former
        }
        return (occurrence, isNew)
    }

    private func act(
        on id: OccurrenceID, _ kind: JournalKind, at moment: Moment,
        _ change: (inout OccurrenceFate, inout Money?) -> Void
    ) throws -> Occurrence {
        try store.write(at: moment, as: kind) { try act(on: id, in: $0, at: moment, change) }
    }

    /// - Parameter actedAt: when the user acted, if that was named.
    private func act(
        on id: OccurrenceID, in unit: UnitOfWork, at moment: Moment, actedAt named: UTCInstant? = nil,
        _ change: (inout OccurrenceFate, inout Money?) -> Void
    ) throws -> Occurrence {
        guard let number = try unit.subscriptions.number(of: id.subscriptionID) else {
            throw DeviceStoreError.notFound(.occurrence, id: id.wire)
        }
        let key: [SQLValue] = [.integer(number), .day(id.billingOn)]
        let row = try EntityTables.ledger.row(key, in: unit.session)
        let subscription = try unit.subscriptions.load(id.subscriptionID)
        guard row != nil || subscription.nextCharge(onOrAfter: id.billingOn) == id.billingOn else {
            throw DeviceStoreError.notFound(.occurrence, id: id.wire)
        }
        let price = subscription.price(on: id.billingOn)
        var values = ValueReader(row?.values ?? [.integer(0), .null, .null, .null])
        let stored = try OccurrenceReader.fate(try values.integer())
        let actedAt = try values.optionalInteger()
        let isBeforeEntry = try unit.isBeforeEntry(id.billingOn, stored, of: subscription, number)
        let oldPaid = try OccurrenceReader.paid(
            try values.optionalInteger(), try values.optionalText(), price.currency)
        let oldFate = OccurrenceReader.shown(stored, isActed: actedAt != nil)
        var (fate, paid) = (oldFate, oldPaid)
        change(&fate, &paid)
        // Nobody could confirm in time what was charged before it was entered: it stays out of the score.
        let isSettled = isBeforeEntry && [.confirmed, .late].contains(fate)
        if isSettled { fate = .confirmed }
        let at =
            named?.millisecondsSinceEpoch ?? (fate == oldFate ? actedAt : moment.now.millisecondsSinceEpoch)
        if fate != oldFate || paid != oldPaid || at != actedAt {
            try EntityTables.ledger.save(
                key,
                [
                    .count((isSettled ? .assumed : fate).rawValue), .integer(orNull: at),
                    .integer(orNull: paid?.minorUnits), paid.map { .text($0.currency.code) } ?? .null,
                ], in: unit)
            // A coming charge that is skipped or paid changes what is charged next.
            if id.billingOn >= moment.today {
                try SubscriptionProjection(session: unit.session, today: moment.today).refresh(number: number)
            }
        }
        return Occurrence(
            id: id, name: subscription.name, amount: paid ?? price, fate: fate, today: moment.today)
    }

    /// The ledger of a subscription, newest first.
    public func history(_ id: UUID, at moment: Moment) throws -> [LedgerEntry] {
        try store.read(at: moment) { session in
            let sql = """
                SELECT due_day, fate, acted_at, paid, paid_currency FROM ledger WHERE subscription = ? \
                AND (fate != 3 OR acted_at IS NOT NULL AND due_day >= ?) AND (fate != 0 OR due_day < ?) \
                ORDER BY due_day DESC
                """
            let table = SubscriptionTable(session)
            guard let number = try table.number(of: id) else { return [] }
            let subscription = try table.load(number: number)
            // What was taken back, such as by a later start, is of no interest.
            return try session.query(sql, [.integer(number), .day(subscription.startedOn), .day(moment.today)]) { row in
                let day = try row.day(0)
                let stored = try OccurrenceReader.fate(try row.integer(1))
                let fate = OccurrenceReader.shown(stored, isActed: !row.isNull(2))
                let price = subscription.price(on: day)
                let paid = try OccurrenceReader.paid(
                    try row.optionalInteger(3), row.isNull(4) ? nil : try row.text(4), price.currency)
                return LedgerEntry(
                    occurrence: OccurrenceID(subscriptionID: id, billingOn: day), amount: paid ?? price,
                    status: fate.status(billingOn: day, today: moment.today),
                    actedAt: try row.optionalInteger(2).map { UTCInstant(millisecondsSinceEpoch: $0) }, paid: paid,
                    isAssumed: fate == .assumed, isBeforeEntry: stored == .assumed)
            }
        }
    }
}

/// The Control Score of a month.
public struct MonthScore: Sendable, Hashable {
    /// Its first day.
    public var month: CalendarDay
    /// The score of the charges due in that month, in the present one through today.
    public var score: ControlScore
}

/// One row of a subscription's ledger.
public struct LedgerEntry: Sendable, Hashable {
    /// The charge, by its subscription and due day.
    public var occurrence: OccurrenceID
    /// What was paid, else the price on that day.
    public var amount: Money
    /// Confirmed, late, missed or skipped; an assumed charge counts as confirmed.
    public var status: OccurrenceStatus
    /// When the user confirmed or skipped it.
    public var actedAt: UTCInstant?
    /// The recorded payment; nil when ``amount`` is the price on that day.
    public var paid: Money?
    /// Whether it is earlier than the day of entry, and was never confirmed.
    public var isAssumed = false
    /// Whether it is earlier than the day of entry, so that it is not part of the score.
    public var isBeforeEntry = false
}
