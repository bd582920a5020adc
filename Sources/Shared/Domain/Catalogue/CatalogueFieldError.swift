/// One broken rule of one field.
public struct CatalogueFieldError: Sendable, Hashable {
    /// The name of the field on the wire; an element of a list has its index behind a slash, such as `aliases/2`,
    /// so that a leading slash makes a JSON Pointer of it.
    public var field: String
    /// A stable word: `required`, `too_long`, `invalid_characters`, `invalid_format`, `invalid_url`,
    /// `out_of_range` or `duplicate`.
    public var code: String
    /// One English sentence that does not repeat the value.
    public var detail: String

    public init(field: String, code: String, detail: String) {
        self.field = field
        self.code = code
        self.detail = detail
    }
}

/// Every rule that a draft breaks; never empty when thrown by the domain.
public struct CatalogueFieldErrors: Error, Sendable, Hashable {
    public var errors: [CatalogueFieldError]

    public init(_ errors: [CatalogueFieldError]) {
        self.errors = errors
    }
}
