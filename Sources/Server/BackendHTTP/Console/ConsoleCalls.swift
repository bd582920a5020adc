import Backend
import Crypto
import HTTPServer
import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain
import TextCoding

/// Calls of the API on behalf of a session: permission, declared input, idempotency, handler and audit are those of the
/// API, because the call goes through its binding.
struct ConsoleCalls: Sendable {
    private let bindings: [APIOperation: RouteBinding]

    init(_ bindings: [RouteBinding]) {
        self.bindings = Dictionary(
            bindings.compactMap { binding in
                guard let api = binding.api, binding.perform != nil else { return nil }
                return (api, binding)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The response of a call that succeeded; the error of the API otherwise.
    ///
    /// - Parameters:
    ///   - path: the values of the path parameters.
    ///   - formKey: the hidden key of the form. A form sent twice with the same content is carried out once; with other
    ///     content, as after the back button, it is another call.
    ///   - revision: the revision for `If-Match`.
    ///   - tag: the whole entity tag for `If-Match` instead, of a resource without revisions.
    func perform(
        _ operation: APIOperation, path: [String] = [], json: JSONObject, formKey: String?,
        revision: String? = nil, tag: String? = nil, for visit: ConsoleVisit
    ) throws -> Response {
        guard let binding = bindings[operation], let perform = binding.perform, let session = visit.session else {
            throw HTTPFailure.notFound
        }
        let body = JSONValue.object(json).serialized()
        var fields = [(name: "Content-Type", value: "application/json")]
        if let formKey, operation.isIdempotent {
            let content = Array("\(operation.path) \(path) \(revision ?? "") ".utf8) + body
            let digest = Hexadecimal.text(SHA256.hash(data: content).prefix(12))
            fields.append(("Idempotency-Key", "console.\(try Self.checked(formKey)).\(digest)"))
        }
        if let revision { fields.append(("If-Match", "\"r\(try Self.checked(revision))\"")) }
        if let tag { fields.append(("If-Match", "\"\(try Self.checked(tag))\"")) }
        let request: Request
        do throws(WireError) {
            request = try Request(
                to: binding.route, path: Self.path(operation, path), fields: fields, body: body, for: visit.request)
        } catch {
            throw HTTPFailure(error)
        }
        try HeadRules.check(request.head, for: operation)
        return try perform(request, session.token, session.secret)
    }

    private static func path(_ operation: APIOperation, _ values: [String]) -> String {
        var values = values[...]
        return operation.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in part.hasPrefix("{") ? PercentCoding.encode(values.popFirst() ?? "") : String(part) }
            .joined(separator: "/")
    }

    /// A hidden field that the console wrote. Throws 422 for anything else.
    private static func checked(_ text: String) throws(HTTPFailure) -> String {
        let isOurs =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { Base64URL.isDigit($0) }
        guard isOurs else { throw .invalid("form", .invalidFormat, "The form is not one of the console.") }
        return text
    }
}
