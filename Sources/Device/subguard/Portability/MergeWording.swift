import DeviceWords
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// A replaced value on one line: `Netflix: price €13.49 → €15.99 (2026-11-20 13:00)`.
    func line(_ override: MergeReport.Override) -> String {
        let name = override.table == "budgets" ? text("budget") : override.name ?? text("(deleted)")
        let what = name + (override.day.map { ", " + day($0) } ?? "")
        let changes = override.changes.map { change in
            "\(label(change.column, of: override.table)) \(value(change.old)) → \(value(change.new))"
        }
        return text("\(what): \(changes.joined(separator: ", ")) (\(time(override.editedAt)))")
    }

    private func value(_ value: MergeChange.Value) -> String {
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
        case .reminders(let plan): plan.displayText(language)
        case .split(let kind): kind.displayName(language)
        case .period(let period): period.displayName(language)
        case .charge(.open): text("not confirmed")
        case .charge(let fate):
            fate.status(billingOn: moment.today, today: moment.today).displayName(language)
        }
    }

    /// The word for a column; the name of the column for one without a word.
    private func label(_ column: String, of table: String) -> String {
        switch (table, column) {
        case ("prices", "amount"), ("subscriptions", "amount"): text("price")
        case ("budgets", "amount"): text("limit")
        case (_, "amount"): text("amount")
        case (_, "name"): text("name")
        case (_, "title"): text("title")
        case (_, "subtitle"): text("subtitle")
        case (_, "anchor_day"): text("first charge")
        case (_, "cycle"): text("cycle")
        case (_, "started_on"): text("since")
        case (_, "scope"): text("scope")
        case (_, "category"): text("category")
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
        case (_, "payers"): text("paid by")
        case (_, "split"): text("split")
        case (_, "parts"): text("parts")
        case (_, "spent_on"), (_, "booked_on"): text("date")
        case (_, "receipt_path"): text("receipt")
        case (_, "is_settled"): text("settled")
        case (_, "is_accepted"): text("agreed")
        case (_, "kind"): text("kind")
        case (_, "is_recurring"): text("recurring")
        case (_, "tags"): text("tags")
        case (_, "person_id"): text("person")
        case (_, "period"): text("period")
        default: column
        }
    }
}
