public import Foundation

/// A single payment or receipt.
public struct Transaction: Sendable, Hashable, Identifiable {
    /// Whether money was spent or received.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Money that was spent.
        case expense
        /// Money that was received.
        case income
    }

    /// Chosen by the app. Saving another transaction with it replaces the stored one.
    public var id: UUID
    /// What it was for: 1…200 characters, trimmed by ``validated()``.
    public var title: String
    /// One more line of at most 200 characters; empty for none.
    public var subtitle = ""
    /// Greater than 0; ``kind`` gives the direction.
    public var amount: Money
    /// Whether the money was spent or received.
    public var kind: Kind
    /// The day on which the money moved.
    public var bookedOn: CalendarDay
    /// One line of at most 100 characters, as entered; empty for none.
    public var category = ""
    /// Whether the user calls it recurring: a mark only, from which no other payment follows.
    public var isRecurring = false
    /// Texts of 1…100 characters without commas; ``tags(_:)`` reads them.
    public var tags: [String] = []
    /// At most 10,000 characters, also on several lines; empty for none.
    public var notes = ""
    /// Path of a file stored by the client.
    public var receiptPath = ""
    /// The other person; nil for none, and after that person was deleted.
    public var personID: UUID?
    /// When it was recorded; set by the app.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; the others get their defaults. ``validated()`` checks them.
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

    /// Trims the title and checks the rules. Throws every broken rule, in the order of the fields.
    public func validated() throws(FaultList) -> Transaction {
        var (valid, faults) = (self, FaultList())
        faults.collect { () throws(Fault) in valid.title = try FieldRules.name(title, field: "title") }
        faults.collect { () throws(Fault) in
            valid.subtitle = try FieldRules.line(subtitle, field: "subtitle", maximumLength: 200)
        }
        faults.collect { () throws(Fault) in _ = try FieldRules.positive(amount, field: "amount") }
        faults.collect { () throws(Fault) in
            valid.category = try FieldRules.line(category, field: "category", maximumLength: 100)
        }
        faults.collect { () throws(Fault) in valid.notes = try FieldRules.note(notes, field: "notes") }
        faults.collect { () throws(Fault) in
            for tag in tags where tag.isEmpty || tag.contains(",") {
                throw Fault("tags", .invalidFormat, "Tags must not be empty or contain a comma.")
            }
            for tag in tags { _ = try FieldRules.line(tag, field: "tags", maximumLength: 100) }
        }
        guard faults.isEmpty else { throw faults }
        return valid
    }
}
