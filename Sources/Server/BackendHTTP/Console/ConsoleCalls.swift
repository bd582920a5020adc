import Backend
import Console
import Cryptography
import HTTPServer
import HTTPTypes
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

    /// What a call sends.
    enum Content: Sendable {
        case none
        case json(JSONObject)
        case file([UInt8], type: String)
    }

    /// The hidden field that names the version that a form began with, for `If-Match`.
    enum Version: Sendable {
        /// The number of a revision.
        case revision(String)
        /// An entity tag without its quotes.
        case tag(String)
    }

    /// The response of a call that succeeded; the error of the API otherwise.
    ///
    /// - Parameters:
    ///   - path: the values of the path parameters.
    ///   - formKey: the hidden key of the form. A form sent twice with the same content is carried out once; with other
    ///     content, as after the back button, it is another call.
    func perform(
        _ operation: APIOperation, path: [String] = [], query: [(name: String, value: String)] = [],
        _ content: Content, formKey: String?, version: Version? = nil, for visit: ConsoleVisit
    ) throws -> Response {
        guard let binding = bindings[operation], let perform = binding.perform, let session = visit.session else {
            throw HTTPFailure.notFound
        }
        let (body, type): ([UInt8], String) =
            switch content {
            case .none: ([], "application/json")
            case .json(let object): (JSONValue.object(object).serialized(), "application/json")
            case .file(let bytes, let type): (bytes, type)
            }
        var fields = [(name: "Content-Type", value: type)]
        var tag: String?
        switch version {
        case .revision(let number)?: tag = "r\(try Self.checked(number))"
        case .tag(let text)?: tag = try Self.checked(text)
        case nil: break
        }
        if let tag { fields.append(("If-Match", "\"\(tag)\"")) }
        let target = Self.path(operation, path, query)
        if let formKey, operation.isIdempotent {
            let content = Array("\(target) \(tag ?? "") ".utf8) + body
            let digest = Hexadecimal.text(SHA256.hash(of: content).prefix(12))
            fields.append(("Idempotency-Key", "console.\(try Self.checked(formKey)).\(digest)"))
        }
        let request: Request
        do throws(WireError) {
            request = try Request(to: binding.route, path: target, fields: fields, body: body, for: visit.request)
        } catch {
            throw HTTPFailure(error)
        }
        try HeadRules.check(request.head, for: operation)
        return try perform(request, session.token, session.secret)
    }

    /// The result of a call that a page must show.
    enum Outcome: Sendable {
        case done(Response)
        /// Not accepted: the page shows why, with what was typed.
        case refused(FormFaults, HTTPResponse.Status)
        /// Another version is stored now.
        case lostRace
    }

    /// Like ``perform(_:path:query:_:formKey:version:for:)``. Throws only what is not about the input: 403, 404, 429,
    /// failures of the server, and `request_running`.
    ///
    /// - Parameter fields: the pointer of the field that a problem without faults concerns.
    func attempt(
        _ operation: APIOperation, path: [String] = [], query: [(name: String, value: String)] = [],
        _ content: Content, formKey: String?, version: Version? = nil, for visit: ConsoleVisit,
        fields: [ProblemCode: String] = [.slugTaken: "#/slug"]
    ) throws -> Outcome {
        do {
            return .done(
                try perform(
                    operation, path: path, query: query, content, formKey: formKey, version: version, for: visit))
        } catch {
            // The first request is being carried out: a page of its own says so.
            guard let failure = HTTPFailure(error), failure.code != .requestRunning else { throw error }
            switch failure.code.status {
            case 412: return .lostRace
            case 400, 409, 413, 415, 422:
                var faults = Array(failure.faults)
                if faults.isEmpty, let pointer = fields[failure.code] {
                    faults = [Fault(pointer, .duplicate, failure.sentence)]
                }
                return .refused(FormFaults(faults, detail: failure.sentence, code: failure.code), .of(failure.code))
            default: throw error
            }
        }
    }

    /// The JSON object of a response; empty for any other content.
    static func object(in response: Response) -> JSONObject {
        guard case .bytes(let body) = response.body else { return [:] }
        return (try? JSONValue.parse(body))?.objectValue ?? [:]
    }

    private static func path(
        _ operation: APIOperation, _ values: [String], _ query: [(name: String, value: String)]
    ) -> String {
        var values = values[...]
        let path = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in part.hasPrefix("{") ? PercentCoding.encode(values.popFirst() ?? "") : String(part) }
            .joined(separator: "/")
        guard !query.isEmpty else { return path }
        return path + "?"
            + query.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }

    /// A hidden field that the console wrote. Throws 422 for anything else.
    private static func checked(_ text: String) throws(HTTPFailure) -> String {
        let isOurs =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { Base64URL.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard isOurs else { throw .invalid("form", .invalidFormat, "The form is not one of the console.") }
        return text
    }
}
