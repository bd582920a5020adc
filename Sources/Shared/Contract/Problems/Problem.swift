import JSONWire
import Publication
public import SubGuardDomain

/// An error response (RFC 9457) with a stable code, the request id and, for validation errors, all faults.
public struct Problem: Sendable, Hashable {
    public let code: ProblemCode
    public let detail: String
    public let requestID: String
    /// The faults; `errors_omitted` on the wire is the number that are only counted, omitted if 0.
    public let errors: FaultList
    /// The causes that the Sentry protocol expects besides `detail`; nil for other calls.
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
}

extension Problem: WireObject {
    /// The response body, `application/problem+json`.
    package static let wire = WireSchema<Problem>(
        "Problem", "An error as RFC 9457 describes it; it may have further members.", unknown: .ignored
    ) {
        Field(
            "type", { PublishedPath.of($0.code.type) },
            .text(pattern: "^\(PublishedPath.prefix)/problems/[a-z_]+$", format: "uri-reference"),
            "The page that explains the code, relative to the server.", example: "/problems/conflict")
        Field("title", \.code.title, .text(1...Int.max), "The same for every problem with this code.")
        Field("status", \.code.status, .integer(400...599), example: 409)
        Field("detail", \.detail, .text(1...Int.max), "One sentence about this case.")
        Field(
            "code", \.code,
            .choice.described("What went wrong; a code never changes its meaning. `GET /problems/{code}` explains it.")
                .named("ProblemCode"))
        Field(
            "request_id", \.requestID, .text(pattern: "^[!-~]{1,128}$"), "The value of `X-Request-Id`.", example: "7c9e"
        )
        Field(
            "errors", { $0.errors.keptCount > 0 ? Array($0.errors) : nil },
            optional: .array(of: .object, count: 1...100),
            "With `validation_failed`: the wrong values, up to 100.")
        Field(
            "errors_omitted", { $0.errors.omitted > 0 ? $0.errors.omitted : nil }, optional: .integer(1...Int.max),
            "Number of wrong values that `errors` does not list; absent if there are none.")
        Field(
            "causes", \.causes, optional: .array(of: .text(), count: 1...Int.max),
            "At `/ingest/…` only: the error in the format of the Sentry protocol.")
    }
}

extension Fault: WireObject {
    package static let wire = WireSchema<Fault>("FieldProblem", "One value that is wrong.") {
        Field(
            "pointer", \.pointer, .text(),
            "A JSON Pointer fragment such as `#/suggestions/3/name` (`#/line/3/name` in a CSV file), or the name of a "
                + "query parameter or header field, such as `Idempotency-Key`.",
            example: "#/name")
        Field(
            "code", \.code,
            .choice(of: FaultCode.allCases.filter { !FaultCode.ofTheClient.contains($0) }).described(
                "Why a value is refused; the meaning of a code never changes."
            )
            .named("FaultCode"), example: .required)
        Field("detail", \.detail, .text(1...Int.max), example: "Must be given.")
    }
}
