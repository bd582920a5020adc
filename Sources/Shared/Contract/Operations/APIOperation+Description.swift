package import JSONWire
package import SubGuardDomain

extension APIOperation {
    /// The description of an operation in the OpenAPI document.
    package struct Description: Sendable {
        package let id: String
        package let tag: Tag
        /// A summary in the imperative, without a full stop.
        package let summary: String
        package let details: String
        package let holes: [Hole]
        package let query: Query?
        package let body: Body?
        package let answers: [Answer]
        package let problems: [ProblemCode]
        package let traits: Traits
    }

    /// The sections of the document.
    package enum Tag: String, Sendable, CaseIterable {
        case operations = "Operations"
        case catalogue = "Catalogue"
        case rates = "Rates"
        case suggestions = "Suggestions"
        case analytics = "Analytics"
        case crashes = "Crashes"
        case accounts = "Accounts"
        case premium = "Premium"
        case administration = "Administration"
    }

    /// Properties in which a call differs from others with the same method.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A change that supports `If-Match` with a revision.
        package static let ifMatch = Traits(rawValue: 1)
        /// A read without an `ETag`; all other reads have one.
        package static let unconditional = Traits(rawValue: 2)
        /// Not rate-limited.
        package static let unlimited = Traits(rawValue: 4)
        /// Answered from memory without blocking; it cannot fail.
        package static let immediate = Traits(rawValue: 8)
        /// The body may be signed with `SubGuard-Signature`.
        package static let signed = Traits(rawValue: 16)
        /// A call of Sentry SDKs, which send the key of their DSN in the query or in a header field.
        package static let keyed = Traits(rawValue: 32)
        /// Accepts any query parameters. For programs and pages of others, which add their own; all other calls refuse
        /// parameters that they do not declare.
        package static let anyQuery = Traits(rawValue: 64)
    }

    /// The query parameters of a call: the fields of an object.
    package struct Query: Sendable {
        package let names: [String]
        package let parameters: @Sendable (inout WireComponents) -> [JSONValue]

        package static func object<Object: WireObject>(_ object: Object.Type) -> Query {
            Query(names: Object.wire.names) { Object.wire.parameters(&$0) }
        }
    }

    /// A path parameter.
    package struct Hole: Sendable {
        package let description: String
        package let schema: JSONObject?
        package let example: JSONValue

        package static func id(_ description: String) -> Hole {
            Hole(
                description: description + " A value that is not a UUID is 404.", schema: nil,
                example: "01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b")
        }

        package static func text(_ description: String, _ schema: JSONObject, example: JSONValue) -> Hole {
            Hole(description: description, schema: schema, example: example)
        }
    }

    /// The content of a request or response in one media type.
    package struct Content: Sendable {
        package let type: String
        package let schema: @Sendable (inout WireComponents) -> JSONObject
        package let examples: [(name: String, value: JSONValue)]

        package static func json<Object: WireObject>(
            _ object: Object.Type, examples: [(name: String, value: JSONValue)] = []
        ) -> Content {
            Content(type: "application/json", schema: { Object.wire.reference(&$0) }, examples: examples) {
                Object.wire.example
            }
        }

        /// Content that is not a wire object. Components that `schema` references must also be referenced elsewhere.
        package static func other(_ type: String, _ schema: JSONObject, example: JSONValue) -> Content {
            Content(type: type, schema: { _ in schema }, examples: [("example", example)]) { example }
        }

        /// Content that is not a single wire object. The schema may reference components.
        package static func other(
            _ type: String, examples: [(name: String, value: JSONValue)],
            schema: @escaping @Sendable (inout WireComponents) -> JSONObject
        ) -> Content {
            Content(type: type, schema: schema, examples: examples) { .null }
        }

        /// JSON that is not an object, or one of several objects.
        package static func json(
            examples: [(name: String, value: JSONValue)],
            schema: @escaping @Sendable (inout WireComponents) -> JSONObject
        ) -> Content {
            Content(type: "application/json", schema: schema, examples: examples) { .null }
        }

        /// The bytes of a file, in the form that code generators accept as a body.
        package static let file = Content.other(
            "application/octet-stream", ["type": "string", "format": "binary"], example: "(bytes)")

        private init(
            type: String, schema: @escaping @Sendable (inout WireComponents) -> JSONObject,
            examples: [(name: String, value: JSONValue)], _ example: () -> JSONValue
        ) {
            self.type = type
            self.schema = schema
            self.examples = examples.isEmpty ? [("example", example())] : examples
        }
    }

    /// The body of a request.
    package struct Body: Sendable {
        package let types: BodyTypes
        package let contents: [Content]
        package let description: String
        package let isRequired: Bool
        /// Whether ``contents`` are JSON, so that the body can be malformed JSON.
        package let isJSON: Bool
        /// Whether all declared objects can be created from the body.
        package let isReadable: Bool

        package static func json<Object: WireObject>(
            _ object: Object.Type, _ description: String, required: Bool = true,
            examples: [(name: String, value: JSONValue)] = []
        ) -> Body {
            Body(
                types: .json, contents: [.json(object, examples: examples)], description: description,
                isRequired: required, isJSON: true, isReadable: Object.wire.isReadable)
        }

        /// One of two objects; no body is valid for both.
        package static func json<One: WireObject, Other: WireObject>(
            _ one: One.Type, or other: Other.Type, _ description: String,
            examples: [(name: String, value: JSONValue)] = []
        ) -> Body {
            let content = Content.json(
                examples: examples.isEmpty ? [("one", One.wire.example), ("other", Other.wire.example)] : examples
            ) {
                ["oneOf": [.object(One.wire.reference(&$0)), .object(Other.wire.reference(&$0))]]
            }
            return Body(
                types: .json, contents: [content], description: description, isRequired: true, isJSON: true,
                isReadable: One.wire.isReadable && Other.wire.isReadable)
        }

        package static func other(
            _ contents: [Content], of types: BodyTypes, _ description: String, required: Bool = true,
            isJSON: Bool = false
        ) -> Body {
            Body(
                types: types, contents: contents, description: description, isRequired: required, isJSON: isJSON,
                isReadable: true)
        }
    }

    /// A successful response of a call.
    package struct Answer: Sendable {
        package let status: Int
        package let description: String
        package let contents: [Content]
        package let headers: [Header]
        package var links: [Link] = []

        package static func json<Object: WireObject>(
            _ object: Object.Type, _ description: String, status: Int = 200, headers: [Header] = [],
            examples: [(name: String, value: JSONValue)] = [], links: [Link] = []
        ) -> Answer {
            Answer(
                status: status, description: description, contents: [.json(object, examples: examples)],
                headers: headers, links: links)
        }

        package static func empty(_ status: Int, _ description: String, headers: [Header] = []) -> Answer {
            Answer(status: status, description: description, contents: [], headers: headers)
        }

        package static func other(
            _ status: Int, _ contents: [Content], _ description: String, headers: [Header] = []
        ) -> Answer {
            Answer(status: status, description: description, contents: contents, headers: headers)
        }
    }

    /// A call whose parameters are in a response.
    package struct Link: Sendable {
        package let name: String
        /// The ``Description/id`` of the call.
        package let operation: String
        /// OpenAPI runtime expressions by parameter name.
        package let parameters: [(name: String, expression: String)]

        package init(_ name: String, to operation: String, _ parameters: [(name: String, expression: String)]) {
            self.name = name
            self.operation = operation
            self.parameters = parameters
        }
    }

    /// A header field of responses. The raw value is its name on the wire.
    package enum Header: String, Sendable, CaseIterable {
        case requestID = "X-Request-Id"
        case etag = "ETag"
        case itemETag
        case vary = "Vary"
        case cacheControl = "Cache-Control"
        case location = "Location"
        case retryAfter = "Retry-After"
        case rateLimit = "RateLimit"
        case rateLimitPolicy = "RateLimit-Policy"
        case acceptEncoding = "Accept-Encoding"
        case wwwAuthenticate = "WWW-Authenticate"
        case link = "Link"
        case contentDisposition = "Content-Disposition"
        case contentTypeOptions = "X-Content-Type-Options"
        case accept = "Accept"
        case idempotencyReplayed = "Idempotency-Replayed"
        case figuresComplete = "Figures-Complete"
        case figuresCountedUntil = "Figures-Counted-Until"

        package var name: String { self == .itemETag ? "ETag" : rawValue }
        /// The name of the component in the document.
        package var component: String {
            switch self {
            case .itemETag: "ItemETag"
            case .requestID: "RequestID"
            default: rawValue.replacing("-", with: "")
            }
        }
    }
}
