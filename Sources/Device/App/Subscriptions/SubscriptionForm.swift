import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// The fields of a subscription, for adding and editing.
struct SubscriptionForm {
    let visit: AppVisit
    let values: SubscriptionDraft
    let faults: [Fault]
    /// What the program has filled in, marked while it stands.
    var assumed: SubscriptionDraft = [:]

    /// What stands in the page at once; the others open with "More".
    private static let first: [SubscriptionField] = [
        .name, .amount, .currency, .cycle, .nextBillingOn, .scope, .category,
    ]
    private static let more: [SubscriptionField] = [
        .trialStartsOn, .trialEndsOn, .startedOn, .contractEndsOn, .minimumMonths, .extensionMonths, .noticeDays,
        .paymentMethod,
        .website, .notes,
    ]
    /// A category that is not among those to choose from.
    private static let ownCategory = "own_category"
    /// What the page submits beside them.
    private static let hidden: [SubscriptionField] = [.catalogueItemID]

    /// The values that the page of a sent form showed: what another process has changed since is no edit of this form.
    static func shown(_ form: FormFields) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for field in first + more { draft[field] = form.shown(field.rawValue) }
        return draft
    }

    /// - Parameter values: what the page shows.
    static func writeShown(_ values: SubscriptionDraft, _ visit: AppVisit, to html: inout HTMLWriter) {
        for field in first + more { html.hidden(FormFields.shownName(field.rawValue), values[field] ?? "") }
    }

    /// The fields of a sent form. Others are left out.
    static func draft(_ form: FormFields) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for field in first + more + hidden {
            if let value = form[field.rawValue] { draft[field] = value.trimmingBlanks }
        }
        if let own = form[ownCategory]?.trimmingBlanks, !own.isEmpty { draft[.category] = own }
        return draft
    }

    /// - Parameter middle: what stands below the fields that are there at once.
    func write(to html: inout HTMLWriter, middle: (inout HTMLWriter) -> Void = { _ in }) {
        if !faults.isEmpty {
            html.add(.div, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus")) { html in
                html.paragraph(visit.text("Not saved. Please correct:"))
                html.add(.ul) { html in
                    for fault in faults {
                        html.add(.li) { html in
                            html.add(.a, .href(.fragment(fault.pointer)), text: label(fault.pointer))
                            html.text(visit.colon + visit.sentence(fault.detail))
                        }
                    }
                }
            }
        }
        html.add(.div, .class("fields")) { html in
            for field in Self.first { write(field, to: &html) }
        }
        middle(&html)
        let isOpen =
            faults.contains { fault in Self.more.contains { $0.rawValue == fault.pointer } }
            || visit.isRefill && Self.more.contains { !["", "0"].contains(values[$0] ?? "") }
        html.fold(visit.text("Trial, contract, notes"), isOpen: isOpen) { html in
            html.add(.div, .class("fields")) { html in
                visit.field(
                    Self.ownCategory, visit.text("A category of your own"), value: "",
                    hint: visit.text("In place of the one above; needs premium."), to: &html)
                for field in Self.more { write(field, to: &html) }
            }
        }
        for field in Self.hidden {
            if let value = values[field], !value.isEmpty { html.hidden(field.rawValue, value) }
        }
    }

    private func write(_ field: SubscriptionField, to html: inout HTMLWriter) {
        let name = field.rawValue
        let value = values[field] ?? ""
        let isAssumed = assumed[field].map { !$0.isEmpty && $0 == value } ?? false
        let hint = isAssumed ? visit.text("assumed, please check") : nil
        func line(_ value: String, _ type: StaticString = "text", isAmount: Bool = false, isCount: Bool = false) {
            visit.field(
                name, label(name), value: value, hint: hint, type: type, isAmount: isAmount, most: 4096,
                style: isAssumed ? "field assumed" : "field", isCount ? .inputMode("numeric") : nil, faults: faults,
                isListed: true,
                to: &html)
        }
        switch field {
        case .cycle: select(name, value, cycles(value), hint, to: &html)
        case .scope:
            select(
                name, value, SubscriptionScope.allCases.map { ($0.rawValue, $0.displayName(visit.words)) }, hint,
                to: &html)
        case .category: select(name, value, categories(value), hint, to: &html)
        case .nextBillingOn, .trialStartsOn, .trialEndsOn, .startedOn, .contractEndsOn: line(value, "date")
        case .notes:
            visit.area(name, label(name), value: value, faults: faults, to: &html)
        case .minimumMonths, .extensionMonths, .noticeDays: line(value == "0" ? "" : value, isCount: true)
        case .amount: line(visit.number(value), isAmount: true)
        default: line(value)
        }
        if isAssumed { html.hidden(FormFields.shownName(name), value) }
    }

    private func select(
        _ name: String, _ value: String, _ options: [(String, String)], _ hint: String?, to html: inout HTMLWriter
    ) {
        html.choice(
            name, label(name), current: value, options, style: hint == nil ? "field" : "field assumed",
            faults: visit.sentences(faults, of: name), hint: hint)
    }

    /// The named cycles, and one of its own.
    private func cycles(_ value: String) -> [(String, String)] {
        var cycles = BillingCycle.named
        if let own = BillingCycle(wire: value), !cycles.contains(own) { cycles.append(own) }
        return cycles.map { ($0.wire, $0.displayName(visit.words)) }
    }

    /// The built-in categories by name, those of one's own in use, and its own one.
    private func categories(_ value: String) -> [(String, String)] {
        var categories = SubscriptionCategory.builtIn.filter { $0 != .other }
            .sorted { SubscriptionCategory.inOrder($0, $1, visit.words) }
            .map { ($0.wire, $0.displayName(visit.words)) }
        categories.insert((SubscriptionCategory.other.wire, SubscriptionCategory.other.displayName(visit.words)), at: 0)
        for row in (try? visit.store.totals.costs(at: visit.moment)) ?? [] {
            let own = row.categories.map(\.category).filter(\.isCustom).map(\.wire)
            for name in own where !categories.contains(where: { $0.0 == name }) { categories.append((name, name)) }
        }
        if !value.isEmpty, !categories.contains(where: { $0.0 == value }) { categories.append((value, value)) }
        return categories
    }

    private func label(_ name: String) -> String {
        if let field = SubscriptionField(rawValue: name) { return visit.label(field) }
        return switch name {
        case AddPages.lastChargeName: visit.text("Last charge")
        case AddPages.dayOfMonthName: visit.text("or day of the month")
        default: name
        }
    }
}
