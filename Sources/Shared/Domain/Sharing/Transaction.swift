public import Foundation

/// A single payment or receipt.
public struct Transaction: Sendable, Hashable, Identifiable {
    /// Whether money was spent or received.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case expense
        case income
    }

    public var id: UUID
    public var title: String
    public var subtitle = ""
    /// Greater than 0; ``kind`` gives the direction.
    public var amount: Money
    public var kind: Kind
    public var bookedOn: CalendarDay
    public var category = ""
    public var isRecurring = false
    public var tags: [String] = []
    public var notes = ""
    /// Path of a file stored by the client.
    public var receiptPath = ""
    public var personID: UUID?
    public var createdAt: UTCInstant

    public init(
        id: UUID, title: String, amount: Money, kind: Kind, bookedOn: CalendarDay, personID: UUID?,
        createdAt: UTCInstant
    ) {
        self.id = id
        self.title = title
        self.amount = amount
        self.kind = kind
        self.bookedOn = bookedOn
        self.personID = personID
        self.createdAt = createdAt
    }

    /// The tags of a text with commas between them, each once. Blanks and empty ones are dropped.
    public static func tags(_ text: String) -> [String] {
        var tags: [String] = []
        for part in text.split(separator: ",") {
            let tag = CatalogueRules.trimmed(String(part))
            if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Trims texts and checks the rules. Throws the first broken rule.
    public func validated() throws(Fault) -> Transaction {
        var valid = self
        valid.title = try FieldRules.name(title, field: "title")
        valid.subtitle = try FieldRules.line(subtitle, field: "subtitle", maximumLength: 200)
        _ = try FieldRules.positive(amount, field: "amount")
        valid.category = try FieldRules.line(category, field: "category", maximumLength: 100)
        valid.notes = try FieldRules.note(notes, field: "notes")
        for tag in tags where tag.isEmpty || tag.contains(",") {
            throw Fault("tags", .invalidFormat, "Tags must not be empty or contain a comma.")
        }
        for tag in tags { _ = try FieldRules.line(tag, field: "tags", maximumLength: 100) }
        return valid
    }
}
