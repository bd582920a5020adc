package import JSONWire
public import SubGuardDomain

/// An error as it goes over the wire: RFC 9457 with a stable code, the request's id and, for validation, every fault.
public struct Problem: Sendable, Hashable {
    public let code: ProblemCode
    public let detail: String
    public let requestID: String
    /// What is wrong; on the wire, those that are counted only are `errors_omitted` when they are not 0.
    public let errors: FaultList
    /// What the Sentry protocol wants beside `detail`; nil for everybody else.
    public let causes: [String]?

    public init(
        code: ProblemCode, detail: String, requestID: String, errors: FaultList = [], causes: [String]? = nil
    ) {
        self.code = code
        self.detail = detail
        self.requestID = requestID
        self.errors = errors
        self.causes = causes
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
        if errors.keptCount > 0 {
            writer.key("errors")
            writer.beginArray()
            for error in errors { error.write(to: &writer) }
            writer.endArray()
        }
        if errors.omitted > 0 { writer.field("errors_omitted", errors.omitted) }
        if let causes { writer.field("causes", .array(causes.map { .string($0) })) }
        writer.endObject()
        return writer.bytes
    }
}

extension Fault {
    /// An element of `errors`.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("pointer", pointer)
        writer.field("code", code.rawValue)
        writer.field("detail", detail)
        writer.endObject()
    }
}
