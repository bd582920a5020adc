import DeviceWords
import Foundation
import HTML
import SubGuardDomain

/// Who bears which part of an amount, as fields of a form.
///
/// For equal parts, people are ticked; for others, a part is entered for each. Styles show what belongs to the kind
/// that is chosen; without them all of it is there.
struct SplitForm {
    /// Those of the form around it.
    let fields: FieldWriter
    /// In the order of the form.
    let people: [(id: UUID, name: String)]
    let legend: String
    /// How it is split now, or before anything is chosen.
    let split: Split
    /// In which exact parts are.
    let currency: Currency?
    /// Whether a person who is not known yet can be named.
    var takesNewcomer = false

    private var visit: AppVisit { fields.visit }
    private var typed: FormFields? { fields.typed }

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
            return Split(kind: .even, people: form.ids("person"))
        }
        var split = Split(kind: kind, people: [])
        for id in people {
            let text = form.trimmed(name(id))
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
        let text = form.trimmed(newcomerPart)
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
            html.add(.div, .class("after")) { html in
                html.choice(
                    "split", visit.text("How it is split"), current: kind.rawValue,
                    Self.kinds.map { ($0.rawValue, visit.name($0)) })
            }
            html.add(
                .p, .class("hint part after"), .id("parts-hint"),
                text: visit.text("A percentage, an amount or a number for each; empty for nothing."))
            let own = fields.faults.filter { ["parts", "between", "split", "with"].contains($0.pointer) }
            html.fieldNotes("between", own.map { visit.sentence($0.detail) }, areAlerts: true, nil)
            html.add(.ul, .class("parts")) { html in
                for person in people {
                    html.add(.li) { html in
                        let (id, name) = person
                        html.choice("person", value: id.lowercased, name, isOn: isChosen(id))
                        html.add(.span, .class("part"), text: name)
                        visit.writePart(
                            Self.name(id), value: part(of: id), hint: "parts-hint",
                            label: visit.text("Part of \(name)"),
                            faults: fields.faults, to: &html)
                    }
                }
                if takesNewcomer { html.add(.li) { html in writeNewcomer(to: &html) } }
            }
        }
    }

    private func writeNewcomer(to html: inout HTMLWriter) {
        fields.line(
            Self.newcomerName, people.isEmpty ? visit.text("Name of the person") : visit.text("A new person"),
            to: &html)
        visit.writePart(
            Self.newcomerPart, value: fields.value(Self.newcomerPart), hint: "parts-hint",
            label: visit.text("Part of the new person"), faults: fields.faults, to: &html)
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
        return visit.number(text)
    }
}

extension AppVisit {
    /// A field for the part of one person, without a label of its own.
    func writePart(
        _ field: String, _ style: StaticString = "part", value: String, hint: String, label: String? = nil,
        faults: [Fault], to html: inout HTMLWriter
    ) {
        let own = sentences(faults, of: field)
        html.add(
            .input, .type("text"), .class(style), .inputMode("decimal"), .autocomplete("off"), .id(field),
            .name(field), .value(value), .maxLength(30), label.map { .aria("label", $0) },
            own.isEmpty ? nil : .aria("invalid", "true"), .aria("describedby", own.isEmpty ? hint : "\(field)-fault"))
        html.fieldNotes(field, own, areAlerts: true, nil)
    }

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
