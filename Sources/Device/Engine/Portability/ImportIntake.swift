import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Imports the content of a file, in the order of its references.
struct ImportIntake {
    let unit: UnitOfWork
    let gate: PremiumGate
    let newID: () -> UUID
    var report = ImportReport()

    private var done = 0
    private var twins = ImportTwins([])
    /// Ids of the file, by section: a row costs what its subscription or group holds, so each has one.
    private var seen: Set<[String]> = []
    private var pastCharges: PastCharges

    init(unit: UnitOfWork, gate: PremiumGate, mostCharges: Int, newID: @escaping () -> UUID) {
        self.unit = unit
        self.gate = gate
        pastCharges = PastCharges(before: unit.today, most: mostCharges)
        self.newID = newID
    }

    /// Throws ``DeviceStoreError/cancelled`` when `progress` returns false.
    mutating func take(_ content: ImportContent, _ progress: (_ done: Int, _ of: Int) -> Bool) throws {
        report.ignored = content.ignored
        report.isFileEmpty = content.count == 0
        for section in ImportSection.allCases where section.isBeforeSubscriptions {
            try take(section, of: content, progress)
        }
        twins = ImportTwins(try unit.subscriptions.all().map(\.1))
        var links: [(number: Int, id: UUID, draft: SubscriptionDraft)] = []
        for row in content.rows {
            try tell(content.count, progress)
            var written: SubscriptionDraft = [:]
            do {
                var row = try row.get()
                written = row.draft
                // A row may refer to a later one.
                let later = try unit.laterLinks(row.draft)
                for field in later.keys { row.draft[field] = nil }
                row.isBundledLater = later[.bundledIn] != nil
                guard let id = try take(row) else { continue }
                if !later.isEmpty { links.append((row.number, id, later)) }
            } catch let refused as DeviceStoreError.RefusedRow {
                report.refused.append(written.isEmpty ? refused : refused.showing(written))
            }
        }
        for link in links { try take(link.number, link.id, link.draft) }
        for section in ImportSection.allCases where !section.isBeforeSubscriptions {
            try take(section, of: content, progress)
        }
        // Last, when it is known which rows are kept; milestones are counted one by one.
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
                let isNew = try Self.refused(index + 1, in: section.rawValue + ".") {
                    let object = try ImportObject(element)
                    try once(try object.id("id"), in: section.rawValue)
                    return try unit.take(object, of: section, gate: gate, newID: newID)
                }
                if isNew { report.others[section.rawValue, default: 0] += 1 } else { report.othersPresent += 1 }
            } catch let refused as DeviceStoreError.RefusedRow {
                report.refused.append(refused)
            }
        }
    }

    /// Throws a fault for an id that an earlier row has.
    private mutating func once(_ id: UUID?, in section: String) throws(Fault) {
        guard let id, !seen.insert([section, id.lowercased]).inserted else { return }
        throw Fault("id", .duplicate, "Must be given once.")
    }

    /// Converts errors of a row to a refusal.
    ///
    /// - Parameter prefix: put before the field, for sections other than subscriptions.
    private static func refused<Result>(_ number: Int, in prefix: String = "", _ body: () throws -> Result) throws
        -> Result
    {
        let fault: Fault
        var others: [Fault] = []
        do {
            return try body()
        } catch let error as Fault {
            fault = error
        } catch DeviceStoreError.invalid(let error) {
            fault = error
        } catch let errors as FaultList where errors.keptCount > 0 {
            let errors = Array(errors)
            fault = errors[0]
            others = Array(errors.dropFirst())
        } catch DeviceStoreError.invalidFields(let errors) where !errors.isEmpty {
            fault = errors[0]
            others = Array(errors.dropFirst())
        } catch is PremiumGate.Refusal {
            fault = Fault("category", .premiumRequired, "Custom categories require premium.")
        } catch DeviceStoreError.notFound(let entity, let id) {
            fault = Fault(entity.rawValue, .notFound, "No such \(entity.rawValue): \("\(id)").")
        }
        let faults = ([fault] + others).map { Fault(prefix + $0.pointer, $0.code, $0.sentence) }
        throw DeviceStoreError.RefusedRow(row: number, fault: faults[0], others: Array(faults.dropFirst()))
    }

    /// The id; nil for a row that is skipped, as its subscription is there.
    private mutating func take(_ row: ImportRow) throws -> UUID? {
        let (id, isNew) = try Self.refused(row.number) { () -> (UUID, Bool?) in
            let id = try row.draft[.id].map { text in
                guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
                    throw Fault("id", .invalidID, "Must be a UUID.")
                }
                return id
            }
            try once(id, in: "subscriptions")
            if let id, var present = try unit.subscriptions.find(id) {
                let category = present.category
                try present.edit(
                    row.edits(of: present), today: unit.today, wasCharged: try unit.wasCharged(present.id))
                try gate.requireCategory(present.category, current: category)
                present = try row.applied(to: present)
                try pastCharges.take(present)
                try unit.take(row, present)
                return (id, false)
            }
            let subscription = try row.applied(to: try made(row.entry))
            if row.draft[.id] == nil, let twin = twins.twin(of: subscription, in: row.draft) {
                report.repeated.append(ImportReport.RepeatedRow(row: row.number, name: twin.name, id: twin.id))
                return (twin.id, nil)
            }
            try gate.requireCategory(subscription.category)
            try pastCharges.take(subscription)
            if id == nil {
                try unit.take(row, subscription)
            } else {
                try unit.reading(EntityTables.subscriptions, subscription.id) { try unit.take(row, subscription) }
            }
            twins.add(subscription)
            return (subscription.id, true)
        }
        guard let isNew else { return nil }
        if isNew { report.added.append(id) } else { report.updated.append(id) }
        return id
    }

    /// A new subscription. Throws the faults of all its fields.
    private func made(_ draft: SubscriptionDraft) throws -> Subscription {
        let id = newID()
        do throws(Fault) {
            return try Subscription.make(draft, id: id, today: unit.today, now: unit.moment.now)
        } catch {
            let faults = Subscription.faults(making: draft, id: id, today: unit.today, now: unit.moment.now)
            throw DeviceStoreError.of(faults) ?? .invalid(error)
        }
    }

    /// Links a subscription to later ones. A new row with a broken link is removed.
    private mutating func take(_ number: Int, _ id: UUID, _ links: SubscriptionDraft) throws {
        do {
            // Of a new row, the links are the file's, too.
            let stamping = report.added.contains(id) ? Stamping.file : .edit
            try Self.refused(number) { _ = try unit.stamping(as: stamping) { try unit.edit(id, links) } }
        } catch let refused as DeviceStoreError.RefusedRow {
            report.refused.append(refused)
            guard let place = report.added.firstIndex(of: id) else { return }
            report.added.remove(at: place)
            if let subscription = try unit.subscriptions.find(id) { try unit.remove(subscription) }
        }
    }
}

extension UnitOfWork {
    /// Links of a row to subscriptions that do not exist yet.
    fileprivate func laterLinks(_ draft: SubscriptionDraft) throws -> SubscriptionDraft {
        try draft.filter { field, text in
            guard field == .bundledIn || field == .replacedBy, let id = UUID(uuidString: text) else { return false }
            return try subscriptions.number(of: id) == nil
        }
    }
}

extension ImportRow {
    /// The fields of a new subscription. States with dates say more than a status.
    fileprivate var entry: SubscriptionDraft {
        states.isEmpty ? draft : draft.filter { $0.key != .status && $0.key != .cancelsOn }
    }

    /// The fields to change of an existing subscription. A billing day that it has anyway is left out: an older file of
    /// the same subscription does not begin its schedule anew.
    fileprivate func edits(of present: Subscription) -> SubscriptionDraft {
        var edits = entry.filter { $0.key != .id }
        if let day = edits[.nextBillingOn].flatMap({ CalendarDay(iso: $0) }),
            edits[.cycle].map({ BillingCycle(wire: $0) == present.cycle }) ?? true,
            present.schedule.next(onOrAfter: day) == day
        {
            edits[.nextBillingOn] = nil
            edits[.cycle] = nil
        }
        return edits
    }

    /// The subscription with the row's dated prices and states.
    func applied(to subscription: Subscription) throws(Fault) -> Subscription {
        var subscription = subscription
        // Placed at once: a file may hold any number of them.
        var (placed, reached): ([DatedPrice], [DatedState]) = ([], [])
        for (index, price) in prices.enumerated() {
            guard let day = CalendarDay(iso: price.from) else { throw Self.invalidDay("prices") }
            // Earlier exports name no currency: all prices had that of the subscription.
            let currency = try price.currency.map { code throws(Fault) in
                try FieldRules.currency(code, field: "prices")
            }
            let amount = try FieldRules.positive(
                try FieldRules.amount(price.amount, currency ?? subscription.currency, field: "prices"),
                field: "prices")
            if index == 0, day <= subscription.startedOn {
                subscription.price = amount
                // An export names the price from the start like a dated one.
                if day == subscription.startedOn, !subscription.prices.contains(where: { $0.from == day }) { continue }
            }
            placed.append(DatedPrice(from: day, amount: amount))
        }
        for dated in states {
            guard let day = CalendarDay(iso: dated.from) else { throw Self.invalidDay("states") }
            guard let state = SubscriptionState.allCases.first(where: { $0.wire == dated.state }) else {
                throw Fault("states", .unknownValue, "Must be active, paused or cancelled.")
            }
            reached.append(DatedState(from: day, state: state))
        }
        subscription.place(placed)
        // What was entered without knowing of a cancellation does not go on after it: neither pauses of the file after
        // one that is here, nor those here after that with which the file ends.
        let first = { (state: SubscriptionState) in
            reached.filter { $0.state == state }.map(\.from).min() ?? .latest
        }
        let (paused, cancelled, present) = (first(.paused), first(.cancelled), subscription)
        reached.removeAll { $0.from >= paused && $0.from < cancelled && present.state(on: $0.from) == .cancelled }
        if let last = reached.max(by: { $0.from < $1.from }), last.state == .cancelled,
            present.state(on: last.from) != .cancelled
        {
            let later = subscription.states.filter { $0.from > last.from && $0.state != .cancelled }
            reached += later.map { DatedState(from: $0.from, state: $0.state, isOverruled: true) }
        }
        subscription.place(reached)
        return try subscription.validated()
    }

    fileprivate static func invalidDay(_ field: String) -> Fault {
        Fault(field, .invalidDay, "Must contain dates such as 2027-01-15.")
    }
}

extension UnitOfWork {
    /// Writes the subscription and its ledger. Writes nothing when the row is invalid, so that it can be skipped.
    func take(_ row: ImportRow, _ subscription: Subscription) throws {
        let ledger = try ledger(row, of: subscription)
        let share = try share(row, of: subscription)
        let periods = try row.sharePeriods.map { try sharePeriod($0) }
        let former = try subscriptions.find(subscription.id)?.startedOn
        try save(subscription)
        // A file with a history says all that was charged, also that nothing was; a status without a date does not.
        let isUndated = former == nil && row.states.isEmpty && subscription.hasState(from: today)
        if row.ledger == nil, !isUndated, !row.isBundledLater {
            try recordHistory(of: subscription, startedUntilNow: former)
        }
        if let share { try save(share) }
        for period in periods {
            try write(period, of: try subscriptions.requireNumber(of: subscription.id))
        }
        guard row.ledger != nil else { return }
        let number = try subscriptions.requireNumber(of: subscription.id)
        for entry in ledger {
            let key: [SQLValue] = [.integer(number), .day(entry.day)]
            let present = try EntityTables.ledger.row(key, in: session)
            if entry.fate == .open, entry.paid == nil, present == nil {
                // Not an edit, but posted elsewhere by a schedule that is not known here.
                try session.execute(
                    "INSERT INTO ledger (subscription, due_day, stamp) VALUES (?, ?, ?)",
                    key + [.text(SubscriptionProjection.keptStamp)])
                continue
            }
            // What is as the file says is no edit, and takes nothing from other devices.
            let fate = SQLValue.count(entry.fate.rawValue)
            let actedAt = present.flatMap { $0.values[0] == fate ? $0.values[1] : nil }
            try EntityTables.ledger.save(
                key,
                [
                    fate, entry.isActed ? actedAt ?? .instant(moment.now) : .null,
                    .integer(orNull: entry.paid?.minorUnits), entry.paid.map { .text($0.currency.code) } ?? .null,
                ], in: self)
        }
        let projection = SubscriptionProjection(session: session, today: today)
        try projection.settleHistory(of: subscription, number)
        try projection.refresh(number: number)
    }

    private func share(_ row: ImportRow, of subscription: Subscription) throws -> SubscriptionShare? {
        guard let object = row.share else { return nil }
        var share = SubscriptionShare(subscriptionID: subscription.id, split: try object.split())
        share.isAccepted = try object.flag("accepted") ?? false
        share.notes = try FieldRules.note(try object.text("notes") ?? "", field: "notes")
        try share.requireShape()
        // Those who were deleted keep their part in what was agreed.
        try requirePeople(
            share.split.people.filter { try EntityTables.formerPeople.row([.uuid($0)], in: session) == nil })
        return share
    }

    /// People who were deleted keep what they bore.
    private func sharePeriod(_ object: ImportObject) throws -> SharePeriod {
        guard let day = try object.day("from") else { throw Fault("from", .required, "Is required.") }
        guard try object.text("parts")?.isEmpty == false else { return SharePeriod(from: day, split: nil) }
        let split = try object.split()
        try SubscriptionShare(subscriptionID: Person.me, split: split).requireShape()
        return SharePeriod(from: day, split: split)
    }

    private func ledger(
        _ row: ImportRow, of subscription: Subscription
    ) throws -> [(day: CalendarDay, fate: OccurrenceFate, paid: Money?, isActed: Bool)] {
        var ledger: [(day: CalendarDay, fate: OccurrenceFate, paid: Money?, isActed: Bool)] = []
        for entry in row.ledger ?? [] {
            guard let day = CalendarDay(iso: entry.day) else { throw ImportRow.invalidDay("history") }
            let fate: OccurrenceFate =
                switch OccurrenceStatus(rawValue: entry.status) {
                case .confirmed: entry.isAssumed ? .assumed : .confirmed
                case .late: .late
                case .skipped: .skipped
                case .missed, .pending, .expected: .open
                case nil:
                    throw Fault("history", .unknownValue, "Has an unknown status.")
                }
            guard fate != .open || day < today else { continue }
            let currency = try entry.currency.map { try FieldRules.currency($0, field: "history") }
            let paid = try entry.paid.map { text in
                try FieldRules.positive(
                    try FieldRules.amount(text, currency ?? subscription.price(on: day).currency, field: "history"),
                    field: "history")
            }
            let isActed = fate != .open && (fate != .assumed || entry.isConfirmed)
            ledger.append((day, fate, paid, isActed))
        }
        return ledger
    }
}
