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

    /// The names of hidden fields with the values that the page showed.
    private static func shownName(_ field: SubscriptionField) -> String { "shown_\(field.rawValue)" }

    /// The values that the page of a sent form showed: what another process has changed since is no edit of this form.
    static func shown(_ form: FormFields) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for field in first + more { draft[field] = form[shownName(field)] }
        return draft
    }

    /// - Parameter values: what the page shows.
    static func writeShown(_ values: SubscriptionDraft, _ visit: AppVisit, to html: inout HTMLWriter) {
        for field in first + more { html.hidden(shownName(field), values[field] ?? "") }
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
                html.add(.p, text: visit.text("Not saved. Please correct:"))
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
        html.add(.details, .class("more"), isOpen ? .open : nil) { html in
            html.add(.summary, text: visit.text("Trial, contract, notes"))
            html.add(.div, .class("fields")) { html in
                visit.field(
                    Self.ownCategory, visit.text("A category of your own"), value: "",
                    hint: visit.text("In place of the one above; needs premium."), faults: [], to: &html)
                for field in Self.more { write(field, to: &html) }
            }
        }
        for field in Self.hidden {
            if let value = values[field], !value.isEmpty { html.hidden(field.rawValue, value) }
        }
    }

    private func write(_ field: SubscriptionField, to html: inout HTMLWriter) {
        let name = field.rawValue
        let own = faults.filter { $0.pointer == name }
        let invalid: HTMLAttribute? = own.isEmpty ? nil : .aria("invalid", "true")
        let isAssumed = assumed[field].map { !$0.isEmpty && $0 == values[field] } ?? false
        let about = (own.isEmpty ? [] : ["\(name)-fault"]) + (isAssumed ? ["\(name)-assumed"] : [])
        let described: HTMLAttribute? =
            about.isEmpty ? nil : .aria("describedby", about.joined(separator: " "))
        html.add(
            .div, field == .notes ? .class("field whole") : isAssumed ? .class("field assumed") : .class("field")
        ) { html in
            html.add(.label, .for(name), text: label(name))
            let value = values[field] ?? ""
            switch field {
            case .cycle: select(field, value, cycles(value), to: &html)
            case .scope:
                select(
                    field, value, SubscriptionScope.allCases.map { ($0.rawValue, $0.displayName(visit.words)) },
                    to: &html)
            case .category: select(field, value, categories(value), to: &html)
            case .nextBillingOn, .trialStartsOn, .trialEndsOn, .startedOn, .contractEndsOn:
                html.add(.input, .type("date"), .id(name), .name(name), .value(value), invalid, described)
            case .notes:
                html.add(
                    .textarea, .id(name), .name(name), .rows(3), .maxLength(FieldRules.maximumNoteLength), invalid,
                    described, text: value)
            case .minimumMonths, .extensionMonths, .noticeDays:
                html.add(
                    .input, .type("text"), .inputMode("numeric"), .id(name), .name(name),
                    .value(value == "0" ? "" : value), invalid, described)
            case .amount:
                html.add(
                    .input, .type("text"), .inputMode("decimal"), .autocomplete("off"), .id(name), .name(name),
                    .value(visit.entry(value)), invalid, described)
            default:
                html.add(
                    .input, .type("text"), .autocomplete("off"), .id(name), .name(name), .value(value),
                    invalid, described)
            }
            for (index, fault) in own.enumerated() {
                html.add(
                    .p, .class("fault"), index == 0 ? .id("\(name)-fault") : nil,
                    text: visit.sentence(fault.detail))
            }
            if isAssumed {
                html.add(.p, .class("hint"), .id("\(name)-assumed"), text: visit.text("assumed, please check"))
                html.hidden(Self.shownName(field), value)
            }
        }
    }

    private func select(
        _ field: SubscriptionField, _ value: String, _ options: [(String, String)], to html: inout HTMLWriter
    ) {
        html.add(.select, .id(field.rawValue), .name(field.rawValue)) { html in
            for (option, text) in options {
                html.add(.option, .value(option), option == value ? .selected : nil, text: text)
            }
        }
    }

    /// The named cycles, and one of its own.
    private func cycles(_ value: String) -> [(String, String)] {
        var cycles = BillingCycle.named
        if let own = BillingCycle(wire: value), !cycles.contains(own) { cycles.append(own) }
        return cycles.map { ($0.wire, $0.displayName(visit.words)) }
    }

    /// The built-in categories by name, those of one's own in use, and its own one.
    private func categories(_ value: String) -> [(String, String)] {
        var categories = SubscriptionCategory.builtIn.filter { $0 != .other }.map {
            ($0.wire, $0.displayName(visit.words))
        }
        .sorted { $0.1 < $1.1 }
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

extension String {
    /// Without blanks and line ends around it.
    var trimmingBlanks: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
