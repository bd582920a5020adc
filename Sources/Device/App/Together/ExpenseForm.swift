import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// The fields of an expense of a group, for adding and editing.
struct ExpenseForm {
    let visit: AppVisit
    /// Where it is sent.
    let link: HTMLLink
    let group: PersonGroup
    /// The expense that is edited; nil for a new one.
    let expense: GroupExpense?
    /// Names by id.
    let names: [UUID: String]
    /// The currency of a new one.
    let currency: String

    private static func paidName(_ id: UUID) -> String { "paid-\(id.lowercased)" }

    /// Who may pay or have a part: today's members first, then those of other days and those who are involved already.
    private var people: [UUID] {
        let today = group.members(on: visit.moment.today)
        let involved = expense.map { $0.payers.map(\.personID) + $0.split.people } ?? []
        var people: [UUID] = []
        for id in today + group.memberIDs + involved where !people.contains(id) { people.append(id) }
        return people
    }

    private func name(_ id: UUID) -> String { names[id] ?? visit.text("(deleted)") }

    // MARK: Reading

    /// The expense of a sent form: what was typed, the rest as it stands. Throws the faults of its fields, all at once.
    func read(_ form: FormFields) throws -> GroupExpense {
        var reader = FieldReader(form)
        let title = reader.name("title")
        let total = reader.money()
        let day = reader.day("on")
        let currency = total?.currency ?? .eur
        let payers = reader.read { form throws(Fault) -> [PersonAmount] in try self.payers(form, total, currency) }
        let split = reader.read { form throws(Fault) -> Split in
            let split = try SplitForm.split(form, among: people, in: currency)
            guard !split.people.isEmpty else { throw Fault("between", .required, "Must name who shares it.") }
            return split
        }
        try reader.finish()
        guard let title, let total, let day, let payers, let split else { throw DeviceStoreError.cancelled }
        guard var edited = expense else {
            var new = GroupExpense(
                id: visit.newID(form), groupID: group.id, title: title, amount: total, payers: payers,
                split: split, spentOn: day, createdAt: visit.moment.now)
            new.category = form.trimmed("category")
            new.notes = form.trimmed("notes")
            return new
        }
        form.edit(&edited.title, "title")
        let (arePayersEdited, arePartsEdited) = (
            form.shown("payers") != Self.wire(payers), form.shown("parts") != Self.wire(split)
        )
        // What several paid or bear was typed for the currency of the form.
        let areAmountsEdited = arePayersEdited && payers.count > 1 || arePartsEdited && split.kind == .exact
        if form.edited("amount") != nil || form.edited("currency") != nil
            || areAmountsEdited && currency != edited.amount.currency
        {
            edited.amount = total
        }
        if form.edited("on") != nil { edited.spentOn = day }
        if arePayersEdited { edited.payers = payers }
        // A single one has paid all of it, also of an amount that was changed elsewhere.
        if edited.payers.count == 1 { edited.payers[0].minorUnits = edited.amount.minorUnits }
        if arePartsEdited { edited.split = split }
        form.edit(&edited.category, "category")
        form.edit(&edited.notes, "notes")
        edited.isSettled = form.editedTick("settled") ?? edited.isSettled
        return edited
    }

    /// One who paid all of it, or each with an amount.
    private func payers(_ form: FormFields, _ amount: Money?, _ currency: Currency) throws(Fault) -> [PersonAmount] {
        var payers: [PersonAmount] = []
        for id in people {
            let field = Self.paidName(id)
            let text = form.trimmed(field)
            guard !text.isEmpty else { continue }
            let decimal = try AmountText.decimal(text, in: currency, field: field)
            let paid = try FieldRules.positive(try FieldRules.amount(decimal, currency, field: field), field: field)
            payers.append(PersonAmount(personID: id, minorUnits: paid.minorUnits))
        }
        if !payers.isEmpty { return payers }
        guard let payer = form["paid_by"].flatMap({ UUID(uuidString: $0) }) else {
            throw Fault("paid_by", .required, "Must name who paid.")
        }
        return [PersonAmount(personID: payer, minorUnits: amount?.minorUnits ?? 0)]
    }

    /// Who paid, as the page showed it. The amount of a single one is that of the expense.
    private static func wire(_ payers: [PersonAmount]) -> String {
        if payers.count == 1 { return payers[0].personID.lowercased }
        let texts = payers.map { "\($0.personID.lowercased)=\($0.minorUnits)" }
        return texts.sorted().joined(separator: ",")
    }

    /// Who bears which part, in any order.
    private static func wire(_ split: Split) -> String {
        let texts = split.people.enumerated().map { index, id in
            split.weights.indices.contains(index) ? "\(id.lowercased)=\(split.weights[index])" : id.lowercased
        }
        return "\(split.kind.rawValue):" + texts.sorted().joined(separator: ",")
    }

    // MARK: Writing

    func write(to html: inout HTMLWriter) {
        let values = [
            ("title", expense?.title ?? ""), ("amount", expense.map { visit.number($0.amount.decimal) } ?? ""),
            ("currency", expense?.amount.currency.code ?? currency),
            ("on", (expense?.spentOn ?? visit.moment.today).iso), ("category", expense?.category ?? ""),
            ("notes", expense?.notes ?? ""),
        ]
        let fields = FieldWriter(visit, link, values)
        if let expense {
            let further = [
                ("payers", Self.wire(expense.payers)), ("parts", Self.wire(expense.split)),
                ("settled", expense.isSettled ? "on" : ""),
            ]
            fields.writeShown(further, to: &html)
        }
        html.add(.div, .class("fields")) { html in
            visit.writePayment(fields, to: &html)
            let payer = fields.typed?["paid_by"] ?? expense?.payers.first?.personID.lowercased
            html.choice(
                "paid_by", visit.text("Who paid"), current: payer, people.map { ($0.lowercased, name($0)) },
                faults: visit.sentences(fields.faults, of: "paid_by"), areAlerts: true)
        }
        writePayers(fields, to: &html)
        SplitForm(
            fields: fields, people: people.map { ($0, name($0)) }, legend: visit.text("Shared by"),
            split: expense?.split ?? Split(kind: .even, people: group.members(on: visit.moment.today)),
            currency: expense?.amount.currency
        ).write(to: &html)
        let isOpen = expense != nil || fields.faults.contains { ["category", "notes"].contains($0.pointer) }
        html.fold(visit.text("Category, notes"), isOpen: isOpen) { html in
            html.add(.div, .class("fields")) { html in
                fields.line("category", visit.text("Category"), to: &html)
                fields.area("notes", visit.text("Notes"), to: &html)
            }
        }
        if let expense {
            fields.tick(
                "settled", visit.text("Settled elsewhere; it makes no debts"), isOn: expense.isSettled, to: &html)
        }
    }

    /// An amount for each, when several have paid.
    private func writePayers(_ fields: FieldWriter, to html: inout HTMLWriter) {
        guard people.count > 1 else { return }
        let several = expense.map { $0.payers.count > 1 ? $0.payers : [] } ?? []
        let texts = people.map { id in
            fields.typed.map { $0[Self.paidName(id)] ?? "" }
                ?? several.first { $0.personID == id }
                .map {
                    visit.number(Money(minorUnits: $0.minorUnits, currency: expense?.amount.currency ?? .eur).decimal)
                }
                ?? ""
        }
        html.fold(visit.text("Several people paid"), isOpen: texts.contains { !$0.isEmpty }) { html in
            html.add(
                .p, .class("hint after"), .id("paid-hint"),
                text: visit.text(
                    "An amount for each who paid, in place of the one above. Together they make the whole."))
            html.rows(zip(people, texts), style: "parts") { row, html in
                let field = Self.paidName(row.0)
                html.add(.label, .class("whom"), .for(field), text: name(row.0))
                visit.writePart(field, "paid-part", value: row.1, hint: "paid-hint", faults: fields.faults, to: &html)
            }
        }
    }
}
