public import Foundation

/// A service in the catalogue. The fields of its ``draft`` are read from it directly: `item.name`.
@dynamicMemberLookup
public struct CatalogueItem: Sendable, Hashable, Identifiable {
    public var id: UUID
    /// The fields that an editor may change.
    public var draft: CatalogueDraft
    public var logoURL: String?
    public var updatedAt: UTCInstant
    /// The revision of the catalogue in which the item last changed.
    public var revision: Int64

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
