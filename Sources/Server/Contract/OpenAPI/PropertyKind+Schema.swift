import JSONWire
import SubGuardDomain

extension PropertyKind {
    /// The members of a JSON Schema for values of this kind.
    var schema: [(name: String, value: JSONValue)] {
        switch self {
        case .shortText(let maximumBytes):
            [("type", .string("string")), ("minLength", .number("1")), ("maxLength", .number("\(maximumBytes)"))]
        case .locale: [("type", .string("string")), ("examples", .array([.string("fr-FR")]))]
        case .uuid: [("type", .string("string")), ("format", .string("uuid"))]
        case .integer(let range):
            [
                ("type", .string("integer")), ("minimum", .number("\(range.lowerBound)")),
                ("maximum", .number("\(range.upperBound)")),
            ]
        }
    }
}
