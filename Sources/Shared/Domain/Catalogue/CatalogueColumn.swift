import TextCoding

/// A column of catalogue files: the header's name, and what stands in its fields.
package struct CatalogueColumn: Sendable {
    package enum Kind: Sendable {
        /// Text as it is.
        case name
        /// A word in lower case.
        case word
        /// A billing cycle.
        case cycle
        /// A decimal amount.
        case amount
        /// A code in upper case.
        case code
        /// A link or nothing.
        case link
        /// A whole number or nothing.
        case number
        /// Names, separated by `|`; in a name, `|` and `\` are escaped with `\`.
        case list
    }

    package let name: String
    package let kind: Kind
    /// The field of an item, empty if it has no value.
    package let text: @Sendable (CatalogueDraft) -> String
    /// Sets the field to a text of a file; nothing for one that every item has.
    fileprivate let read: @Sendable (String, inout CatalogueDraft) -> Void

    private init(
        _ name: String, _ kind: Kind, _ text: @escaping @Sendable (CatalogueDraft) -> String,
        read: @escaping @Sendable (String, inout CatalogueDraft) -> Void = { _, _ in }
    ) {
        self.name = name
        self.kind = kind
        self.text = text
        self.read = read
    }

    /// A field that an item may lack.
    private init<Value: LosslessStringConvertible & SendableMetatype>(
        _ name: String, _ kind: Kind, _ field: any WritableKeyPath<CatalogueDraft, Value?> & Sendable
    ) {
        self.init(name, kind, { $0[keyPath: field]?.description ?? "" }, read: { $1[keyPath: field] = Value($0) })
    }

    /// In the order of the files.
    package static let all = [
        CatalogueColumn("name", .name) { $0.name },
        CatalogueColumn("slug", .word) { $0.slug },
        CatalogueColumn("category", .word) { $0.category },
        CatalogueColumn("typical_amount", .amount) { $0.typicalAmount.decimal },
        CatalogueColumn("currency", .code) { $0.typicalAmount.currency.code },
        CatalogueColumn("billing_cycle", .cycle) { $0.billingCycle.wire },
        CatalogueColumn("website", .link, \.website), CatalogueColumn("cancel_url", .link, \.cancelURL),
        CatalogueColumn("notice_days", .number, \.noticeDays),
        CatalogueColumn("aliases", .list, { CatalogueAliasList.text(of: $0.aliases) }) {
            $1.aliases = CatalogueAliasList.aliases(in: $0)
        },
    ]

    /// Whether a file may omit the column; an import then keeps the value of an existing item.
    package var isOptional: Bool {
        switch kind {
        case .name, .word, .cycle, .amount, .code: false
        case .link, .number, .list: true
        }
    }
}

extension CatalogueDraft {
    /// The items of a CSV file with the columns of ``CatalogueColumn``. Malformed rows are left out, and rows without
    /// a value that an item must have.
    package static func all(csv: [UInt8]) -> [CatalogueDraft] {
        var reader = CSVReader(csv)
        guard let header = try? reader.next() else { return [] }
        var drafts: [CatalogueDraft] = []
        while let record = try? reader.next() {
            guard record.fields.count == header.fields.count else { continue }
            let row = Dictionary(zip(header.fields, record.fields)) { first, _ in first }
            if let draft = CatalogueDraft(row) { drafts.append(draft) }
        }
        return drafts
    }

    private init?(_ row: [String: String]) {
        func text(_ name: String) -> String? { row[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let name = text("name"), let slug = text("slug"), let category = text("category"),
            let currency = text("currency").flatMap({ Currency(code: $0) }),
            let amount = text("typical_amount").flatMap({ try? Money(decimal: $0, currency: currency) }),
            let cycle = text("billing_cycle").flatMap({ BillingCycle(wire: $0) })
        else { return nil }
        self.init(name: name, slug: slug, category: category, typicalAmount: amount, billingCycle: cycle)
        for column in CatalogueColumn.all { if let text = text(column.name) { column.read(text, &self) } }
    }
}
