import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// Who bears which part of an amount, as fields of a form.
///
/// For equal parts, people are ticked; for others, a part is entered for each. Styles show what belongs to the kind that is
/// chosen; without them all of it is there.
struct SplitForm {
    let visit: AppVisit
    /// In the order of the form.
    let people: [(id: UUID, name: String)]
    let legend: String
    /// How it is split now, or before anything is chosen.
    let split: Split
    /// In which exact parts are.
    let currency: Currency?
    /// Whether a person who is not known yet can be named.
    var takesNewcomer = false
    /// What was sent and not accepted.
    let typed: FormFields?
    let faults: [Fault]

    /// A free split leaves everything to one person, which is the same as no sharing.
    private static let kinds = [SplitKind.even, .percent, .exact, .shares]

    /// The field with the name of a person who is not known yet.
    static let newcomerName = "newcomer"
    private static let newcomerPart = "part-newcomer"

    private static func name(_ id: UUID) -> String { "part-\(id.lowercased)" }

    // MARK: Reading

    /// The split of a sent form. A person without a part bears nothing.
    ///
    /// - Parameter people: those who may have a part, in their order.
    static func split(_ form: FormFields, among people: [UUID], in currency: Currency) throws(Fault) -> Split {
        let kind = form["split"].flatMap { SplitKind(rawValue: $0) }.flatMap { kinds.contains($0) ? $0 : nil } ?? .even
        guard kind != .even else {
            return Split(kind: .even, people: form.values("person").compactMap { UUID(uuidString: $0) })
        }
        var split = Split(kind: kind, people: [])
        for id in people {
            let text = (form[name(id)] ?? "").trimmingBlanks
            guard !text.isEmpty else { continue }
            split.people.append(id)
            split.weights.append(try weight(text, kind, currency, field: name(id)))
        }
        return split
    }

    /// Adds a person who is not known yet, with the part that was entered for them.
    static func add(_ id: UUID, to split: inout Split, _ form: FormFields, in currency: Currency) throws(Fault) {
        split.people.append(id)
        guard split.kind != .even else { return }
        let text = (form[newcomerPart] ?? "").trimmingBlanks
        split.weights.append(try weight(text, split.kind, currency, field: newcomerPart))
    }

    private static func weight(
        _ text: String, _ kind: SplitKind, _ currency: Currency, field: String
    ) throws(Fault) -> Int64 {
        switch kind {
        case .exact:
            let decimal = try AmountText.decimal(text, in: currency, field: field)
            return try FieldRules.amount(decimal, currency, field: field).minorUnits
        case .percent:
            let number = text.hasSuffix("%") ? String(text.dropLast()).trimmingBlanks : text
            guard let weight = Split.percentage(number.replacing(",", with: ".")) else {
                throw Fault(field, .invalidFormat, "Must be a percentage such as 33.33.")
            }
            return weight
        default:
            guard let weight = Int64(text) else {
                throw Fault(field, .invalidFormat, "Must be a whole number such as 2.")
            }
            return weight
        }
    }

    // MARK: Writing

    private var kind: SplitKind { typed?["split"].flatMap { SplitKind(rawValue: $0) } ?? split.kind }

    func write(to html: inout HTMLWriter) {
        html.add(.fieldset, .class("split-form")) { html in
            html.add(.legend, text: legend)
            html.add(.div, .class("field after")) { html in
                html.add(.label, .for("split"), text: visit.text("How it is split"))
                html.add(.select, .id("split"), .name("split")) { html in
                    for kind in Self.kinds {
                        html.add(
                            .option, .value(kind.rawValue), kind == self.kind ? .selected : nil, text: visit.name(kind))
                    }
                }
            }
            html.add(.p, .class("hint part after"), .id("parts-hint"), text: hint)
            let own = faults.filter { ["parts", "between", "split", "with"].contains($0.pointer) }
            for (index, fault) in own.enumerated() {
                html.add(
                    .p, .class("fault"), index == 0 ? .id("between-fault") : nil, .role("alert"),
                    text: visit.sentence(fault.detail))
            }
            html.add(.ul, .class("parts")) { html in
                for person in people { write(person.id, person.name, to: &html) }
                if takesNewcomer { writeNewcomer(to: &html) }
            }
        }
    }

    private func writeNewcomer(to html: inout HTMLWriter) {
        html.add(.li) { html in
            visit.field(
                Self.newcomerName, people.isEmpty ? visit.text("Name of the person") : visit.text("A new person"),
                value: typed?[Self.newcomerName] ?? "", faults: faults, to: &html)
            let fault = faults.first { $0.pointer == Self.newcomerPart }
            html.add(
                .input, .type("text"), .class("part"), .inputMode("decimal"), .autocomplete("off"),
                .id(Self.newcomerPart), .name(Self.newcomerPart), .value(typed?[Self.newcomerPart] ?? ""),
                .maxLength(30), .aria("label", visit.text("Part of the new person")),
                fault == nil ? nil : .aria("invalid", "true"), .aria("describedby", "parts-hint"))
            if let fault { html.add(.p, .class("fault"), .role("alert"), text: visit.sentence(fault.detail)) }
        }
    }

    private var hint: String { visit.text("A percentage, an amount or a number for each; empty for nothing.") }

    private func write(_ id: UUID, _ name: String, to html: inout HTMLWriter) {
        let field = Self.name(id)
        let fault = faults.first { $0.pointer == field }
        html.add(.li) { html in
            html.add(.label, .class("choice")) { html in
                html.add(
                    .input, .type("checkbox"), .name("person"), .value(id.lowercased), isChosen(id) ? .checked : nil)
                html.text(name)
            }
            html.add(.span, .class("part"), text: name)
            html.add(
                .input, .type("text"), .class("part"), .inputMode("decimal"), .autocomplete("off"), .id(field),
                .name(field), .value(part(of: id)), .maxLength(30), .aria("label", visit.text("Part of \(name)")),
                fault == nil ? nil : .aria("invalid", "true"),
                .aria("describedby", fault == nil ? "parts-hint" : "\(field)-fault"))
            if let fault {
                html.add(
                    .p, .class("fault"), .id("\(field)-fault"), .role("alert"), text: visit.sentence(fault.detail)
                )
            }
        }
    }

    private func isChosen(_ id: UUID) -> Bool {
        typed.map { $0.values("person").contains(id.lowercased) } ?? split.people.contains(id)
    }

    /// The part as people write it.
    private func part(of id: UUID) -> String {
        if let typed { return typed[Self.name(id)] ?? "" }
        guard let index = split.people.firstIndex(of: id), split.weights.indices.contains(index) else { return "" }
        let weight = split.weights[index]
        let text =
            switch split.kind {
            case .percent: Money(minorUnits: weight, currency: .eur).decimal
            case .exact: Money(minorUnits: weight, currency: currency ?? .eur).decimal
            default: "\(weight)"
            }
        return visit.entry(text)
    }
}

extension AppVisit {
    fileprivate func name(_ kind: SplitKind) -> String {
        switch kind {
        case .even: text("in equal parts")
        case .percent: text("by percentages")
        case .exact: text("by amounts")
        case .shares: text("by shares, such as 2 and 1")
        case .free: kind.rawValue
        }
    }
}
