public import Foundation

/// A single payment or receipt beside the subscriptions.
public struct Transaction: Sendable, Hashable, Identifiable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case expense
        case income
    }

    public var id: UUID
    public var title: String
    public var subtitle = ""
    /// Greater than zero; ``kind`` tells the direction.
    public var amount: Money
    public var kind: Kind
    public var bookedOn: CalendarDay
    public var category = ""
    public var isRecurring = false
    public var tags: [String] = []
    public var notes = ""
    /// A file that the client keeps.
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

    /// The same with its texts trimmed. Throws the first rule that is broken.
    public func validated() throws(Fault) -> Transaction {
        var valid = self
        valid.title = try FieldRules.name(title, field: "title")
        valid.subtitle = try FieldRules.line(subtitle, field: "subtitle", maximumLength: 200)
        _ = try FieldRules.positive(amount, field: "amount")
        valid.category = try FieldRules.line(category, field: "category", maximumLength: 100)
        valid.notes = try FieldRules.note(notes, field: "notes")
        for tag in tags where tag.isEmpty || tag.contains(",") {
            throw Fault("tags", .invalidFormat, "A tag has no comma and is not empty.")
        }
        return valid
    }
}
