import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// The fields of a single payment, for adding and editing.
struct TransactionForm {
    let visit: AppVisit
    /// The payment that is edited; nil for a new one.
    let transaction: Transaction?
    let people: [(id: UUID, name: String)]
    /// What was sent and not accepted.
    let typed: FormFields?
    let faults: [Fault]

    init(_ visit: AppVisit, _ transaction: Transaction? = nil, typed: FormFields? = nil, faults: [Fault] = []) throws {
        self.visit = visit
        self.transaction = transaction
        self.typed = typed
        self.faults = faults
        people = try visit.store.sharing.people().filter { $0.id != Person.me }.map { ($0.id, $0.name) }
    }

    /// The payment of a sent form: what was typed, the rest as it stands. Throws the faults of its fields, all at once.
    func read(_ form: FormFields) throws -> Transaction {
        var reader = FieldReader(form)
        let title = reader.name("title")
        let total = reader.money()
        let day = reader.day("on")
        try reader.finish()
        guard let title, let total, let day else { throw DeviceStoreError.cancelled }
        var edited =
            transaction
            ?? Transaction(
                id: visit.store.makeID(visit.moment), title: title, amount: total, kind: .expense, bookedOn: day,
                personID: nil, createdAt: visit.moment.now)
        edited.title = form.edited("title") ?? edited.title
        edited.subtitle = form.edited("subtitle") ?? edited.subtitle
        if form.edited("amount") != nil || form.edited("currency") != nil { edited.amount = total }
        if form.edited("on") != nil { edited.bookedOn = day }
        if let kind = form.edited("type").flatMap({ Transaction.Kind(rawValue: $0) }) { edited.kind = kind }
        if let person = form.edited("person") { edited.personID = UUID(uuidString: person) }
        edited.category = form.edited("category") ?? edited.category
        edited.notes = form.edited("notes") ?? edited.notes
        if let tags = form.edited("tags") { edited.tags = Transaction.tags(tags) }
        edited.isRecurring = form.editedTick("recurring") ?? edited.isRecurring
        return edited
    }

    func write(to html: inout HTMLWriter) {
        let values = [
            ("title", transaction?.title ?? ""),
            ("amount", transaction.map { visit.entry($0.amount.decimal) } ?? ""),
            ("currency", transaction?.amount.currency.code ?? (try? visit.usualCurrency()) ?? ""),
            ("on", (transaction?.bookedOn ?? visit.moment.today).iso),
            ("type", (transaction?.kind ?? .expense).rawValue), ("person", transaction?.personID?.lowercased ?? ""),
            ("category", transaction?.category ?? ""), ("notes", transaction?.notes ?? ""),
            ("subtitle", transaction?.subtitle ?? ""), ("tags", transaction?.tags.joined(separator: ", ") ?? ""),
        ]
        let value = visit.entered(values, typed: typed)
        let isRecurring = transaction?.isRecurring ?? false
        if transaction != nil {
            visit.writeShown(values + [("recurring", isRecurring ? "on" : "")], typed: typed, to: &html)
        }
        html.add(.div, .class("fields")) { html in
            visit.writePayment(value, faults, to: &html)
            visit.field("subtitle", visit.text("Details"), value: value("subtitle"), faults: faults, to: &html)
            html.choice(
                "type", visit.text("Direction"), current: value("type"),
                Transaction.Kind.allCases.map {
                    ($0.rawValue, visit.text($0 == .expense ? "I paid" : "I received"))
                })
            if !people.isEmpty {
                html.choice(
                    "person", visit.text("With"), current: value("person"),
                    [("", "–")] + people.map { ($0.id.lowercased, $0.name) })
            }
            visit.field("category", visit.text("Category"), value: value("category"), faults: faults, to: &html)
            visit.field(
                "tags", visit.text("Tags"), value: value("tags"), hint: visit.text("With commas between them."),
                faults: faults, to: &html)
            visit.area("notes", visit.text("Notes"), value: value("notes"), faults: faults, to: &html)
        }
        visit.tick(
            "recurring", visit.text("Recurring payment"), isOn: typed.map { $0["recurring"] != nil } ?? isRecurring,
            to: &html)
    }
}

extension AppVisit {
    /// What an expense of a group and a single payment have in common: what for, how much, and when.
    func writePayment(_ value: (String) -> String, _ faults: [Fault], to html: inout HTMLWriter) {
        field("title", text("What for"), value: value("title"), faults: faults, to: &html)
        field("amount", text("Amount"), value: value("amount"), isAmount: true, faults: faults, to: &html)
        field("currency", text("Currency"), value: value("currency"), faults: faults, to: &html)
        field("on", text("Date"), value: value("on"), type: "date", faults: faults, to: &html)
    }
}
