import JSONWire

/// An error as it goes over the wire: RFC 9457 with a stable code, the request's id and, for validation, every fault.
public struct Problem: Sendable, Hashable {
    public let code: ProblemCode
    public let detail: String
    public let requestID: String
    public let errors: [FieldProblem]
    /// How many more values are wrong than ``errors`` names; on the wire as `errors_omitted` when it is not 0.
    public let omittedErrors: Int
    /// What the Sentry protocol wants beside `detail`; nil for everybody else.
    public let causes: [String]?

    public init(
        code: ProblemCode, detail: String, requestID: String, errors: [FieldProblem] = [], omittedErrors: Int = 0,
        causes: [String]? = nil
    ) {
        self.code = code
        self.detail = detail
        self.requestID = requestID
        self.errors = errors
        self.omittedErrors = omittedErrors
        self.causes = causes
    }

    /// What is wrong with one value.
    public struct FieldProblem: Sendable, Hashable {
        /// A JSON Pointer fragment such as `#/items/0/name`, or the name of a query parameter.
        public let pointer: String
        public let code: String
        public let detail: String

        public init(pointer: String, code: String, detail: String) {
            self.pointer = pointer
            self.code = code
            self.detail = detail
        }
    }

    /// The body, `application/problem+json`.
    package func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("type", code.type)
        writer.field("title", code.title)
        writer.field("status", code.status)
        writer.field("detail", detail)
        writer.field("code", code.rawValue)
        writer.field("request_id", requestID)
        if !errors.isEmpty {
            writer.key("errors")
            writer.beginArray()
            for error in errors {
                writer.beginObject()
                writer.field("pointer", error.pointer)
                writer.field("code", error.code)
                writer.field("detail", error.detail)
                writer.endObject()
            }
            writer.endArray()
        }
        if omittedErrors > 0 { writer.field("errors_omitted", omittedErrors) }
        if let causes { writer.field("causes", .array(causes.map { .string($0) })) }
        writer.endObject()
        return writer.bytes
    }
}
