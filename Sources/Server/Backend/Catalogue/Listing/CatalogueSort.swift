/// The order of a list of items. The id decides between equal keys, so that every order is total.
package struct CatalogueSort: Sendable, Hashable {
    /// The raw value is the name on the wire.
    package enum Field: String, Sendable, CaseIterable {
        /// Without case and accents.
        case name
        case slug
        case updatedAt = "updated_at"
        case category
    }

    package let field: Field
    package let isDescending: Bool

    package init(field: Field, isDescending: Bool = false) {
        self.field = field
        self.isDescending = isDescending
    }

    /// Reads the name of a field, with `-` before it for descending; nil for anything else.
    package init?(wire: String) {
        let isDescending = wire.hasPrefix("-")
        guard let field = Field(rawValue: isDescending ? String(wire.dropFirst()) : wire) else { return nil }
        self.init(field: field, isDescending: isDescending)
    }

    package var wire: String { (isDescending ? "-" : "") + field.rawValue }
}
