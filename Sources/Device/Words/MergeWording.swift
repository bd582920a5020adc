package import SubGuardDomain
package import SubGuardEngine

extension ImportReport {
    /// What was left out of a file without being wrong, and whether there was anything.
    package func notes(_ language: DisplayLanguage) -> [String] {
        let most = 20
        var notes: [Sentence] = repeated.prefix(most).map { "row \("\($0.row)"): \($0.name) is there already; skipped" }
        if repeated.count > most { notes.append("\(repeated.count - most) more") }
        if othersPresent > 0 {
            notes.append(
                "\(othersPresent) other element was there already|\(othersPresent) other elements were there already")
        }
        if !ignored.isEmpty {
            let names = ignored.prefix(30).joined(separator: ", ") + (ignored.count > 30 ? ", …" : "")
            notes.append("not recognised, and not imported: \(names)")
        }
        if isFileEmpty { notes.append("The file holds nothing to import.") }
        return notes.map { $0.text(language) }
    }
}

/// What a merge did, in the words of the program.
package struct MergeWording {
    let language: DisplayLanguage
    private let moment: Moment

    package init(_ language: DisplayLanguage, _ moment: Moment) {
        self.language = language
        self.moment = moment
    }

    /// A replaced value on one line: `Netflix: price €13.49 → €15.99 (2026-11-20 13:00)`.
    package func line(_ override: MergeReport.Override) -> String {
        let name = name(override.table, override.name) ?? text("(deleted)")
        let what = name + (override.day.map { ", " + day($0) } ?? "")
        let changes = override.changes.map { change in
            "\(label(change.column, of: override.table)) " + .arrow(value(change.old), value(change.new))
        }
        return text("\(what): \(changes.joined(separator: ", ")) (\(time(override.editedAt)))")
    }

    /// A row that went: `Gym: removed, because its addition was undone`.
    package func line(_ removed: MergeReport.Removed) -> String {
        let name = name(removed.table, removed.name, removed.amount) ?? removed.key
        return text("\(name): removed, because its addition was undone")
    }

    /// `Bea €15.00`, `budget (Streaming €50.00)`, or the name of another row.
    private func name(_ table: String, _ name: String?, _ amount: Money? = nil) -> String? {
        guard let name else { return nil }
        let what = ([table == "budgets" ? target(name) : name] + [amount.map(money)].compactMap(\.self))
            .joined(separator: " ")
        return table == "budgets" ? "\(text("budget")) (\(what))" : what
    }

    /// What a budget limits: a scope or category in the form of the contract, empty for all.
    private func target(_ wire: String) -> String {
        guard !wire.isEmpty, let target = try? Budget.Target(scope: nil, category: wire) else {
            return text("all subscriptions")
        }
        return target.scope?.displayName(language) ?? target.category?.displayName(language) ?? wire
    }

    /// What was left out, and what to do about it; none for a merge that took everything.
    package func lines(_ refused: [MergeReport.Refused]) -> [String] {
        guard !refused.isEmpty else { return [] }
        let count = refused.count
        return [
            text(
                """
                left out: \(count) row with a time of the future. On the device that made the backup, set the clock, \
                run `subguard repair clock`, and make another backup|\
                left out: \(count) rows with times of the future. On the device that made the backup, set the clock, \
                run `subguard repair clock`, and make another backup
                """)
        ]
            + refused.prefix(Self.mostRefused).map {
                "  \(name($0.table, $0.name) ?? $0.key) (\(time($0.stampedAt)))"
            }
            + (count > Self.mostRefused ? ["  " + text("\(count - Self.mostRefused) more")] : [])
    }

    private static let mostRefused = 20

    func value(_ value: MergeChange.Value) -> String {
        switch value {
        case .none: "–"
        case .text(let text): text
        case .money(let amount): money(amount)
        case .day(let day): self.day(day)
        case .flag(let flag): flag ? text("yes") : text("no")
        case .count(let count): AmountStyle(language).grouped(count)
        case .cycle(let cycle): cycle.displayName(language)
        case .scope(let scope): scope.displayName(language)
        case .category(let category): category.displayName(language)
        case .state(.active): SubscriptionStatus.active.displayName(language)
        case .state(.paused): SubscriptionStatus.paused.displayName(language)
        case .state(.cancelled): SubscriptionStatus.cancelled.displayName(language)
        case .status(let status): status.displayName(language)
        case .reminders(let plan): plan.displayText(language)
        case .split(let kind): kind.displayName(language)
        case .period(let period): period.displayName(language)
        case .parts(let parts): parts.map(part).joined(separator: ", ")
        case .charge(.open): text("not confirmed")
        case .charge(let fate):
            fate.status(billingOn: moment.today, today: moment.today).displayName(language)
        }
    }

    /// `Ana €12.50`, in French `Ana 12,50 €`.
    private func part(_ part: MergeChange.Part) -> String {
        switch part.size {
        case .amount(let amount): return "\(part.name) \(money(amount))"
        case .percent(let number): return "\(part.name) \(language.percent(number.decimal))"
        case .count(let count): return "\(part.name) \(count)"
        case .none: return part.name
        }
    }

    func label(_ column: String, of table: String) -> String { word(column, of: table) ?? column }

    /// The word for a column.
    func word(_ column: String, of table: String) -> String? {
        switch (table, column) {
        case ("prices", "amount"), ("subscriptions", "amount"): text("price")
        case ("budgets", "amount"): text("limit")
        case ("person_photos", "size"): text("bytes of the photo")
        case (_, "amount"): text("amount")
        case (_, "name"): text("name")
        case (_, "title"): text("title")
        case (_, "subtitle"): text("subtitle")
        case (_, "anchor_day"): text("first charge")
        case (_, "cycle"): text("cycle")
        case (_, "started_on"): text("since")
        case (_, "scope"): text("scope")
        case (_, "category"): text("category")
        case (_, "trial_starts_on"): text("trial starts")
        case (_, "begins"): text("begins on")
        case (_, "trial_ends_on"): text("trial ends")
        case (_, "trial_converts"): text("charged after the trial")
        case (_, "ends_on"): text("fixed term ends")
        case (_, "contract_ends_on"): text("contract term ends")
        case (_, "minimum_months"): text("minimum months")
        case (_, "extension_months"): text("months of extension")
        case (_, "notice_days"): text("days of notice")
        case (_, "is_variable"): text("estimate")
        case (_, "remind"): text("reminders")
        case (_, "details"): text("details")
        case (_, "notes"): text("notes")
        case (_, "website"): text("website")
        case (_, "payment_method"): text("payment method")
        case (_, "icon"): text("icon")
        case (_, "emoji"): text("emoji")
        case (_, "avatar_value"): text("picture")
        case (_, "color"): text("colour")
        case (_, "catalogue_item_id"): text("catalogue item")
        case (_, "replaced_by"): text("replaced by")
        case (_, "bundled_in"): text("included in")
        case (_, "state"), (_, "fate"): text("status")
        case (_, "paid"): text("amount paid")
        case (_, "email"): text("email")
        case (_, "phone"): text("phone")
        case (_, "is_member"): text("member")
        case (_, "group_id"): text("group")
        case (_, "payers"), (_, "from_id"): text("paid by")
        case (_, "to_id"): text("paid to")
        case (_, "split"): text("split")
        case (_, "parts"): text("parts")
        case (_, "spent_on"), (_, "booked_on"), (_, "paid_on"): text("date")
        case (_, "left_on"): text("left on")
        case (_, "rate"): text("exchange rate")
        case (_, "expense_id"): text("expense")
        case (_, "transaction_id"): text("transaction")
        case (_, "receipt_path"): text("receipt")
        case (_, "is_settled"): text("settled")
        case (_, "is_accepted"): text("agreed")
        case (_, "kind"): text("kind")
        case (_, "is_recurring"): text("recurring")
        case (_, "tags"): text("tags")
        case (_, "person_id"): text("person")
        case (_, "period"): text("period")
        default: nil
        }
    }

    /// How many rows of a table were added.
    package static func added(_ table: String, _ count: Int) -> Sentence {
        switch table {
        case "subscriptions": "\(count) subscription added|\(count) subscriptions added"
        case "people": "\(count) person added|\(count) people added"
        case "groups": "\(count) group added|\(count) groups added"
        case "group_members": "\(count) group member added|\(count) group members added"
        case "memberships": "\(count) membership added|\(count) memberships added"
        case "share_periods": "\(count) part of a subscription added|\(count) parts of subscriptions added"
        case "repayments": "\(count) repayment added|\(count) repayments added"
        case "own_rates": "\(count) exchange rate added|\(count) exchange rates added"
        case "former_people": "\(count) former person added|\(count) former people added"
        case "expenses": "\(count) expense added|\(count) expenses added"
        case "person_photos": "\(count) photo added|\(count) photos added"
        case "receipts": "\(count) receipt added|\(count) receipts added"
        case "transactions": "\(count) transaction added|\(count) transactions added"
        case "budgets": "\(count) budget added|\(count) budgets added"
        case "prices": "\(count) price added|\(count) prices added"
        case "states": "\(count) pause or its end added|\(count) pauses or their ends added"
        case "cancellations": "\(count) cancellation or resumption added|\(count) cancellations or resumptions added"
        case "shares": "\(count) share added|\(count) shares added"
        default: "\(count) confirmation added|\(count) confirmations added"
        }
    }

    func text(_ phrase: Sentence) -> String { phrase.text(language) }

    private func money(_ amount: Money) -> String { amount.formatted(AmountStyle(language)) }

    func day(_ day: CalendarDay) -> String { day.displayName(language) }

    private func time(_ instant: UTCInstant) -> String {
        moment.text(of: instant, language)
    }
}

/// What a restore or an import would change, in the words of the program.
extension MergeWording {
    /// The name of a thing; a budget without a scope and a category is one of everything.
    package func name(_ difference: StoreDifferences.Difference) -> String {
        let name = (difference.before ?? difference.after)?.name ?? .none
        if name == .none, difference.kind == .budget { return text("Everything") }
        // What is renamed back is known by its present name.
        return value(name)
    }

    /// `€13.49 · monthly · active`.
    package func facts(_ side: StoreDifferences.Side) -> String { side.facts.map(value).joined(separator: " · ") }

    /// What differs today: `cancelled → active`; empty when nothing does.
    package func facts(from before: StoreDifferences.Side, to after: StoreDifferences.Side) -> String {
        zip(before.facts, after.facts).filter { $0 != $1 }.map { .arrow(value($0), value($1)) }
            .joined(separator: " · ")
    }

    /// `price: €15.99 → €13.49`, or with the day of a dated value.
    package func line(_ change: StoreDifferences.Change) -> String {
        let column = label(change.value.column, of: change.table)
        let label = change.day.map { text("\(column) from \(day($0))") } ?? column
        let values = String.arrow(value(change.value.old), value(change.value.new))
        return text("\(label): \(values)")
    }

    /// What kind of thing it is.
    package func word(_ kind: StoreDifferences.Kind) -> String {
        switch kind {
        case .subscription: text("subscription")
        case .person: text("person")
        case .group: text("group")
        case .expense: text("expense")
        case .transaction: text("transaction")
        case .repayment: text("repayment")
        case .budget: text("budget")
        case .rate: text("exchange rate")
        case .receipt: text("receipt")
        }
    }
}
