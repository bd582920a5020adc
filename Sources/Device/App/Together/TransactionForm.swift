import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// The fields of a single payment, for adding and editing.
struct TransactionForm {
    let visit: AppVisit
    /// Where it is sent.
    let link: HTMLLink
    /// The payment that is edited; nil for a new one.
    let transaction: Transaction?
    let people: [(id: UUID, name: String)]

    init(_ visit: AppVisit, _ transaction: Transaction? = nil) throws {
        self.visit = visit
        self.transaction = transaction
        link = transaction.map { HTMLLink("transactions", $0.id.lowercased, "edit") } ?? TransactionPages.link
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
                id: visit.newID(form), title: title, amount: total, kind: .expense, bookedOn: day,
                personID: nil, createdAt: visit.moment.now)
        form.edit(&edited.title, "title")
        form.edit(&edited.subtitle, "subtitle")
        if form.edited("amount") != nil || form.edited("currency") != nil { edited.amount = total }
        if form.edited("on") != nil { edited.bookedOn = day }
        if let kind = form.edited("type").flatMap({ Transaction.Kind(rawValue: $0) }) { edited.kind = kind }
        if let person = form.edited("person") { edited.personID = UUID(uuidString: person) }
        form.edit(&edited.category, "category")
        form.edit(&edited.notes, "notes")
        if let tags = form.edited("tags") { edited.tags = Transaction.tags(tags) }
        edited.isRecurring = form.editedTick("recurring") ?? edited.isRecurring
        return edited
    }

    func write(to html: inout HTMLWriter) {
        let values = [
            ("title", transaction?.title ?? ""),
            ("amount", transaction.map { visit.number($0.amount.decimal) } ?? ""),
            ("currency", transaction?.amount.currency.code ?? (try? visit.usualCurrency()) ?? ""),
            ("on", (transaction?.bookedOn ?? visit.moment.today).iso),
            ("type", (transaction?.kind ?? .expense).rawValue), ("person", transaction?.personID?.lowercased ?? ""),
            ("category", transaction?.category ?? ""), ("notes", transaction?.notes ?? ""),
            ("subtitle", transaction?.subtitle ?? ""), ("tags", transaction?.tags.joined(separator: ", ") ?? ""),
        ]
        let fields = FieldWriter(visit, link, values)
        let isRecurring = transaction?.isRecurring ?? false
        if transaction != nil { fields.writeShown([("recurring", isRecurring ? "on" : "")], to: &html) }
        html.add(.div, .class("fields")) { html in
            visit.writePayment(fields, to: &html)
            fields.line("subtitle", visit.text("Details"), to: &html)
            fields.choice(
                "type", visit.text("Direction"),
                Transaction.Kind.allCases.map {
                    ($0.rawValue, visit.text($0 == .expense ? "I paid" : "I received"))
                }, to: &html)
            if !people.isEmpty {
                fields.choice(
                    "person", visit.text("With"), [("", "–")] + people.map { ($0.id.lowercased, $0.name) }, to: &html)
            }
            fields.line("category", visit.text("Category"), to: &html)
            fields.line("tags", visit.text("Tags"), hint: visit.text("With commas between them."), to: &html)
            fields.area("notes", visit.text("Notes"), to: &html)
        }
        fields.tick("recurring", visit.text("Recurring transaction"), isOn: isRecurring, to: &html)
    }
}

extension AppVisit {
    /// What an expense of a group and a single payment have in common: what for, how much, and when.
    func writePayment(_ fields: FieldWriter, to html: inout HTMLWriter) {
        fields.line("title", text("What for"), to: &html)
        fields.line("amount", text("Amount"), isAmount: true, to: &html)
        fields.line("currency", text("Currency"), to: &html)
        fields.line("on", text("Date"), type: "date", to: &html)
    }
}
