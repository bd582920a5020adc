public import Foundation

/// A service in the catalogue. The fields of its ``draft`` are read from it directly: `item.name`.
@dynamicMemberLookup
public struct CatalogueItem: Sendable, Hashable, Identifiable {
    /// Stays the same when the item changes; ``Subscription/catalogueItemID`` refers to it.
    public var id: UUID
    /// The fields that an editor may change.
    public var draft: CatalogueDraft
    /// The path of the logo on the server, such as `/logos/<64 hexadecimal digits>.png`; nil without a logo.
    public var logoURL: String?
    /// The time of the last change on the server; for a starter item, the start of the catalogue's day.
    public var updatedAt: UTCInstant
    /// The revision of the catalogue in which the item last changed.
    public var revision: Int64

    /// Takes the fields as they are; the draft is not validated.
    public init(
        id: UUID, _ draft: CatalogueDraft, logoURL: String? = nil, updatedAt: UTCInstant, revision: Int64
    ) {
        self.id = id
        self.draft = draft
        self.logoURL = logoURL
        self.updatedAt = updatedAt
        self.revision = revision
    }

    /// A field of the draft.
    @inlinable
    public subscript<Value>(dynamicMember field: WritableKeyPath<CatalogueDraft, Value>) -> Value {
        get { draft[keyPath: field] }
        set { draft[keyPath: field] = newValue }
    }
}
