/// Reads exports of other subscription trackers, row by row.
public enum ForeignExport: String, Sendable, Hashable, CaseIterable {
    /// Wallos: JSON, an object whose `subscriptions` are objects of texts.
    case wallos
    /// SubTrackr: CSV with a header.
    case subtrackr

    /// Columns that follow from others, or mean nothing here. All others are taken over.
    private static let derived: Set<String> = [
        "ID", "Created At", "Updated At", "Monthly Cost", "Annual Cost", "Icon URL", "Logo",
    ]

    /// The category of Wallos for what has none.
    private static let noCategory = "no category"

    private var columns: Set<String> {
        let common: Set<String> = [
            "Name", "Payment Method", "URL", "Notes", "Category", "Start Date", "Cancellation Date",
        ]
        return switch self {
        case .wallos: common.union(["Price", "Payment Cycle", "Next Payment", "Active", "State", "Notifications"])
        case .subtrackr:
            common.union(["Cost", "Currency", "Schedule", "Schedule Interval", "Renewal Date", "Status"])
        }
    }

    /// A text that is the same whenever the same export is read again: the id of the row, else its name with `place`,
    /// the number of rows before it that have the same name.
    public func identity(_ row: [String: String], place: Int) -> String {
        guard let id = row["ID"], !id.isEmpty else {
            return "\(rawValue) \(TextFolding.fold(row["Name"] ?? "")) \(place)"
        }
        return "\(rawValue) #\(id)"
    }

    /// The day of the cancellation; nil without one. That of Wallos is when to cancel, so it counts only if it is past
    /// and the subscription inactive.
    public func cancelledOn(_ row: [String: String], today: CalendarDay) -> String? {
        guard let day = Self.cancellationDay(row) else { return nil }
        return self == .subtrackr || (Self.isInactive(row) && day <= today.iso) ? day : nil
    }

    private static func cancellationDay(_ row: [String: String]) -> String? {
        row["Cancellation Date"].flatMap { DayText.iso(CatalogueRules.trimmed($0)) }
    }

    /// Whether a row of Wallos is inactive.
    private static func isInactive(_ row: [String: String]) -> Bool {
        let value = { (name: String) in row[name].map { CatalogueRules.trimmed($0).lowercased() } }
        return value("Active") == "no" || value("State") == "disabled"
    }

    /// Converts a row to a draft. Without `keepsCategories`, a category that is not built in is stored in the
    /// description. Columns without a field of their own become lines of the notes, such as `Paid By: Zoé`.
    ///
    /// Throws when the cycle is missing: it is not taken to be monthly.
    public func draft(
        _ row: [String: String], keepsCategories: Bool, currency: Currency?, preferring named: [Currency] = [],
        today: CalendarDay
    ) throws(Fault) -> SubscriptionDraft {
        let value = { (name: String) -> String? in
            row[name].map(CatalogueRules.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        }
        var draft: SubscriptionDraft = [:]
        draft[.name] = value("Name")
        draft[.paymentMethod] = value("Payment Method")
        draft[.website] = value("URL")
        let others = row.keys.filter { !columns.contains($0) && !Self.derived.contains($0) }.sorted()
            .compactMap { name in value(name).map { "\(name): \($0)" } }
        let cancelledOn = cancelledOn(row, today: today)
        let reminder =
            cancelledOn == nil
            ? (Self.cancellationDay(row) ?? value("Cancellation Date")).map { "Cancel on \($0) (Wallos)" } : nil
        let notes = ([value("Notes")].compactMap { $0 } + others + [reminder].compactMap { $0 })
            .joined(separator: "\n")
        draft[.notes] = notes.isEmpty ? nil : notes
        let missingCycle = Fault("cycle", .required, "Is required.")
        switch self {
        case .wallos:
            draft[.amount] = value("Price")
            guard let cycle = value("Payment Cycle") else { throw missingCycle }
            draft[.cycle] = cycle
            draft[.nextBillingOn] = value("Next Payment")
            if Self.isInactive(row) {
                draft[.status] = value("Cancellation Date") == nil ? "paused" : "cancelled"
            }
            if value("Notifications")?.lowercased() == "disabled" { draft[.remind] = "" }
        case .subtrackr:
            draft[.amount] = value("Cost")
            draft[.currency] = value("Currency")
            guard let schedule = value("Schedule") else { throw missingCycle }
            draft[.cycle] = try Self.subTrackrCycle(schedule, interval: value("Schedule Interval"))
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
        // When a subscription that is not active was charged last is known by its cancellation only.
        if let day = value("Start Date").flatMap({ DayText.iso($0) }), day <= today.iso,
            draft[.status] == nil || cancelledOn != nil
        {
            draft[.startedOn] = day
        }
        if let category = value("Category"), category.lowercased() != Self.noCategory {
            let isBuiltIn =
                SubscriptionScope(named: category) != nil
                || (try? SubscriptionCategory(category)).map { !$0.isCustom } == true
            if keepsCategories || isBuiltIn { draft[.category] = category } else { draft[.details] = category }
        }
        return try draft.normalised(currency: currency, preferring: named, today: today)
    }

    private static func subTrackrCycle(_ schedule: String, interval: String?) throws(Fault) -> String {
        guard let interval, let count = Int(interval), count > 1 else { return CycleText.wire(schedule) ?? schedule }
        let unit = ["daily": "d", "weekly": "w", "monthly": "m", "quarterly": "m", "annual": "y", "yearly": "y"]
        guard let letter = unit[schedule.lowercased()] else { return CycleText.wire(schedule) ?? schedule }
        // The parser of cycles refuses larger intervals; three times the largest number would not be one.
        let isQuarterly = schedule.lowercased() == "quarterly" && count <= 1_000
        return "every:\(isQuarterly ? count * 3 : count)\(letter)"
    }
}
