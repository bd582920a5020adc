import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Takes what a file has into a store, part by part in the order in which one refers to another.
struct ImportIntake {
    let unit: UnitOfWork
    let gate: PremiumGate
    let newID: () -> UUID
    var report = ImportReport()

    private var done = 0

    init(unit: UnitOfWork, gate: PremiumGate, newID: @escaping () -> UUID) {
        self.unit = unit
        self.gate = gate
        self.newID = newID
    }

    /// Throws ``DeviceStoreError/cancelled`` when `progress` says so.
    mutating func take(_ content: ImportContent, _ progress: (_ done: Int, _ of: Int) -> Bool) throws {
        for section in ImportSection.allCases where section.isBeforeSubscriptions {
            try take(section, of: content, progress)
        }
        var links: [(number: Int, id: UUID, draft: SubscriptionDraft)] = []
        for row in content.rows {
            try tell(content.count, progress)
            do {
                var row = try row.get()
                // What a row refers to may come later in the file.
                let later = try unit.laterLinks(row.draft)
                for field in later.keys { row.draft[field] = nil }
                let id = try take(row)
                if !later.isEmpty { links.append((row.number, id, later)) }
            } catch let refused as DeviceStoreError.RefusedRow {
                report.refused.append(refused)
            }
        }
        for link in links { try take(link.number, link.id, link.draft) }
        for section in ImportSection.allCases where !section.isBeforeSubscriptions {
            try take(section, of: content, progress)
        }
        // Last, when it is certain which of them stay; counted one by one all the same.
        unit.subscriptionCount = try unit.presentSubscriptions() - report.added.count
        for id in report.added {
            if let subscription = try unit.subscriptions.find(id) { try unit.noteAdded(subscription) }
        }
    }

    private mutating func tell(_ count: Int, _ progress: (_ done: Int, _ of: Int) -> Bool) throws {
        if done.isMultiple(of: 100), !progress(done, count) { throw DeviceStoreError.cancelled }
        done += 1
    }

    private mutating func take(
        _ section: ImportSection, of content: ImportContent, _ progress: (_ done: Int, _ of: Int) -> Bool
    ) throws {
        for (index, element) in (content.records[section] ?? []).enumerated() {
            try tell(content.count, progress)
            do {
                try Self.refused(index + 1, in: section.rawValue + ".") {
                    try unit.take(try ImportObject(element), of: section, gate: gate, newID: newID)
                }
                report.others[section.rawValue, default: 0] += 1
            } catch let refused as DeviceStoreError.RefusedRow {
                report.refused.append(refused)
            }
        }
    }

    /// Turns what is wrong with a row into its refusal.
    ///
    /// - Parameter prefix: what goes before the field, for the sections beside the subscriptions.
    private static func refused<Result>(_ number: Int, in prefix: String = "", _ body: () throws -> Result) throws
        -> Result
    {
        let field: InvalidField
        do {
            return try body()
        } catch let error as InvalidField {
            field = error
        } catch is PremiumGate.Refusal {
            let detail = "Categories other than pro and personal need premium."
            field = InvalidField(field: "category", code: "premium_required", detail: detail)
        } catch DeviceStoreError.notFound(let entity, let id) {
            field = InvalidField(
                field: entity.rawValue, code: "out_of_range", detail: "There is no \(entity.rawValue) \(id).")
        }
        throw DeviceStoreError.RefusedRow(
            row: number, field: prefix + field.field, code: field.code, detail: field.detail)
    }

    private mutating func take(_ row: ImportRow) throws -> UUID {
        let (id, isNew) = try Self.refused(row.number) {
            let id = try row.draft[.id].map { text in
                guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
                    throw InvalidField(field: "id", code: "invalid_format", detail: "Must be a UUID.")
                }
                return id
            }
            if let id, var present = try unit.subscriptions.find(id) {
                let category = present.category
                try present.edit(row.draft.filter { $0.key != .id }, today: unit.today)
                try gate.requireCategory(present.category, current: category)
                try unit.take(row, try row.applied(to: present))
                return (id, false)
            }
            let subscription = try row.applied(
                to: Subscription.make(row.draft, id: newID(), today: unit.today, now: unit.moment.now))
            try gate.requireCategory(subscription.category)
            try unit.take(row, subscription)
            return (subscription.id, true)
        }
        if isNew { report.added.append(id) } else { report.updated.append(id) }
        return id
    }

    /// Links a subscription to what came after it. Nothing of a new row stays whose link leads nowhere.
    private mutating func take(_ number: Int, _ id: UUID, _ links: SubscriptionDraft) throws {
        do {
            try Self.refused(number) { _ = try unit.edit(id, links) }
        } catch let refused as DeviceStoreError.RefusedRow {
            report.refused.append(refused)
            guard let place = report.added.firstIndex(of: id) else { return }
            report.added.remove(at: place)
            try unit.session.execute(EntityTables.subscriptions.deleteSQL, [.uuid(id)])
        }
    }
}

extension UnitOfWork {
    /// The links of a row to subscriptions that are not there yet.
    fileprivate func laterLinks(_ draft: SubscriptionDraft) throws -> SubscriptionDraft {
        try draft.filter { field, text in
            guard field == .bundledIn || field == .replacedBy, let id = UUID(uuidString: text) else { return false }
            return try subscriptions.number(of: id) == nil
        }
    }
}

extension ImportRow {
    /// The subscription with the row's dated prices and states.
    func applied(to subscription: Subscription) throws(InvalidField) -> Subscription {
        var subscription = subscription
        for (index, price) in prices.enumerated() {
            guard let day = CalendarDay(iso: price.from) else { throw Self.invalidDay("prices") }
            let amount = try FieldRules.positive(
                try FieldRules.amount(price.amount, subscription.currency, field: "prices"), field: "prices")
            if index == 0, day <= subscription.startedOn { subscription.price = amount }
            subscription.setPrice(amount.minorUnits, from: day)
        }
        for dated in states {
            guard let day = CalendarDay(iso: dated.from) else { throw Self.invalidDay("states") }
            guard let state = SubscriptionState.allCases.first(where: { $0.wire == dated.state }) else {
                throw InvalidField(
                    field: "states", code: "invalid_format", detail: "Must be active, paused or cancelled.")
            }
            subscription.setState(state, from: day)
        }
        return try subscription.validated()
    }

    fileprivate static func invalidDay(_ field: String) -> InvalidField {
        InvalidField(field: field, code: "invalid_format", detail: "Must have days written YYYY-MM-DD.")
    }
}

extension UnitOfWork {
    /// Writes the subscription and its ledger; nothing of a row that is refused, so that it can be left out.
    func take(_ row: ImportRow, _ subscription: Subscription) throws {
        let ledger = try ledger(row, of: subscription)
        let share = try share(row, of: subscription)
        try save(subscription)
        if let share { try save(share) }
        guard !ledger.isEmpty else { return }
        let number = try subscriptions.requireNumber(of: subscription.id)
        for entry in ledger {
            let key: [SQLValue] = [.integer(number), .day(entry.day)]
            if entry.fate == .open, entry.paid == nil, try EntityTables.ledger.row(key, in: session) == nil {
                // Nobody acted on it: as the schedule would have posted it.
                try session.execute("INSERT INTO ledger (subscription, due_day) VALUES (?, ?)", key)
                continue
            }
            try EntityTables.ledger.save(
                key,
                [
                    .count(entry.fate.rawValue), entry.fate == .open ? .null : .instant(moment.now),
                    .integer(orNull: entry.paid),
                ], in: self)
        }
    }

    private func share(_ row: ImportRow, of subscription: Subscription) throws -> SubscriptionShare? {
        guard let object = row.share else { return nil }
        var share = SubscriptionShare(subscriptionID: subscription.id, split: try object.split())
        share.isAccepted = try object.flag("accepted") ?? false
        share.notes = try FieldRules.note(try object.text("notes") ?? "", field: "notes")
        try share.requireShape()
        try requirePeople(share.split.people)
        return share
    }

    private func ledger(
        _ row: ImportRow, of subscription: Subscription
    ) throws -> [(day: CalendarDay, fate: OccurrenceFate, paid: Int64?)] {
        var ledger: [(day: CalendarDay, fate: OccurrenceFate, paid: Int64?)] = []
        for entry in row.ledger {
            guard let day = CalendarDay(iso: entry.day) else { throw ImportRow.invalidDay("history") }
            let fate: OccurrenceFate =
                switch OccurrenceStatus(rawValue: entry.status) {
                case .acknowledged: .acknowledged
                case .late: .late
                case .skipped: .skipped
                case .missed, .pending, .expected: .open
                case nil:
                    throw InvalidField(field: "history", code: "invalid_format", detail: "Has an unknown status.")
                }
            guard fate != .open || day < today else { continue }
            let paid = try entry.paid.map { text in
                try FieldRules.positive(
                    try FieldRules.amount(text, subscription.currency, field: "history"), field: "history")
            }
            ledger.append((day, fate, paid?.minorUnits))
        }
        return ledger
    }
}
