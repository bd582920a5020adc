/// Reads exports of other subscription trackers, row by row.
public enum ForeignExport: String, Sendable, Hashable, CaseIterable {
    /// Wallos: JSON, an object whose `subscriptions` are objects of texts.
    case wallos
    /// SubTrackr: CSV with a header.
    case subtrackr

    /// Converts a row to a draft. Without `keepsCategories`, a category that is not built in is stored in the description.
    public func draft(
        _ row: [String: String], keepsCategories: Bool, currency: Currency?, today: CalendarDay
    ) throws(Fault) -> SubscriptionDraft {
        let value = { (name: String) -> String? in
            row[name].map(CatalogueRules.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        }
        var draft: SubscriptionDraft = [:]
        draft[.name] = value("Name")
        draft[.paymentMethod] = value("Payment Method")
        draft[.website] = value("URL")
        draft[.notes] = value("Notes")
        switch self {
        case .wallos:
            draft[.amount] = value("Price")
            draft[.cycle] = value("Payment Cycle") ?? "monthly"
            draft[.nextBillingOn] = value("Next Payment")
            if value("Active")?.lowercased() == "no" || value("State")?.lowercased() == "disabled" {
                draft[.status] = value("Cancellation Date") == nil ? "paused" : "cancelled"
            }
            if value("Notifications")?.lowercased() == "disabled" { draft[.remind] = "" }
        case .subtrackr:
            draft[.amount] = value("Cost")
            draft[.currency] = value("Currency")
            draft[.cycle] = try Self.subTrackrCycle(
                value("Schedule") ?? "Monthly", interval: value("Schedule Interval"))
            draft[.nextBillingOn] = value("Renewal Date") ?? value("Start Date")
            switch value("Status")?.lowercased() {
            case "cancelled", "canceled": draft[.status] = "cancelled"
            case "paused": draft[.status] = "paused"
            case "trial":
                draft[.status] = "active"
                draft[.trialEndsOn] = draft[.nextBillingOn]
            default: break
            }
        }
        if draft[.nextBillingOn] == nil { draft[.nextBillingOn] = today.iso }
        if let category = value("Category") {
            let isBuiltIn =
                SubscriptionScope(named: category) != nil
                || (try? SubscriptionCategory(category)).map { !$0.isCustom } == true
            if keepsCategories || isBuiltIn { draft[.category] = category } else { draft[.details] = category }
        }
        return try draft.normalised(currency: currency, today: today)
    }

    private static func subTrackrCycle(_ schedule: String, interval: String?) throws(Fault) -> String {
        guard let interval, let count = Int(interval), count > 1 else { return CycleText.wire(schedule) ?? schedule }
        let unit = ["daily": "d", "weekly": "w", "monthly": "m", "quarterly": "m", "annual": "y", "yearly": "y"]
        guard let letter = unit[schedule.lowercased()] else { return CycleText.wire(schedule) ?? schedule }
        return "every:\(schedule.lowercased() == "quarterly" ? count * 3 : count)\(letter)"
    }
}
