import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Checks the head of every request against its route before the body is read.
///
/// The checks keep pages of other sites from making a browser send requests with the user's credentials. All
/// credentials are currently bearer tokens, which browsers never add by themselves; the checks do not rely on that.
enum HeadRules {
    /// Throws 403 for a write with credentials sent by a page of another origin. Throws 415 for a body whose media type
    /// the route does not accept, and for a write with credentials that has neither a body nor a field that forms
    /// cannot send.
    ///
    /// - Parameter allowsOtherOrigin: whether ``CrossOrigin`` allows the page's origin. No such route accepts
    ///   credentials that a browser adds by itself.
    static func check(
        _ head: RequestHead, for api: APIOperation, allowsOtherOrigin: @autoclosure () -> Bool = false
    ) throws(HTTPFailure) {
        guard api.isWrite else { return }
        if api.needsCredentials, !allowsOtherOrigin() { try refuseOtherSites(head) }
        if hasBody(head) {
            guard hasType(head, of: api.bodyTypes) else { throw unsupported(api.bodyTypes) }
            guard api.bodyTypes == .any || isUTF8(head) else {
                throw unsupported(api.bodyTypes, "The charset must be utf-8, which is also the default.")
            }
        } else if api.needsCredentials, !carriesBearer(head), !hasType(head, of: .json) {
            throw unsupported(.json)
        }
    }

    /// Browsers add `Sec-Fetch-Site` and pages cannot change it; other clients do not send it.
    private static func refuseOtherSites(_ head: RequestHead) throws(HTTPFailure) {
        guard head.contains(.secFetchSite) else { return }
        let isForeign = head.hasMember(of: .secFetchSite) { site in
            !site.equalsIgnoringCase("same-origin") && !site.equalsIgnoringCase("none")
        }
        if isForeign { throw HTTPFailure(.crossSite, "A page of another origin sent the request.") }
    }

    private static func hasBody(_ head: RequestHead) -> Bool {
        switch head.framing {
        case .none, .length(0): false
        case .length, .chunked: true
        }
    }

    /// Whether the head has exactly one media type and `types` contains it. The common case `application/json` needs no
    /// allocation.
    private static func hasType(_ head: RequestHead, of types: BodyTypes) -> Bool {
        guard !types.names.isEmpty else { return true }
        guard head.count(of: .contentType) == 1 else { return false }
        return head.withValue(of: .contentType) { value in
            var parts = ListMembers(value, separator: UInt8(ascii: ";"))
            guard let type = parts.next() else { return false }
            if type.equalsIgnoringCase("application/json") { return types.names.contains("application/json") }
            return type.allSatisfy { $0 < 0x80 } && types.accepts(String(decoding: type, as: UTF8.self).lowercased())
        } ?? false
    }

    /// Whether the media type names no charset other than UTF-8.
    private static func isUTF8(_ head: RequestHead) -> Bool {
        head.withValue(of: .contentType) { value in
            var parts = ListMembers(value, separator: UInt8(ascii: ";"))
            _ = parts.next()
            while let parameter = parts.next() {
                var sides = ListMembers(parameter, separator: UInt8(ascii: "="))
                guard let name = sides.next(), name.equalsIgnoringCase("charset"), let charset = sides.next()
                else { continue }
                guard charset.equalsIgnoringCase("utf-8") || charset.equalsIgnoringCase("\"utf-8\"")
                else { return false }
            }
            return true
        } ?? true
    }

    /// A form can make a browser send stored credentials of other schemes, but never a token.
    private static func carriesBearer(_ head: RequestHead) -> Bool {
        head.withValue(of: .authorization) { value in
            var words = ListMembers(value, separator: UInt8(ascii: " "))
            return words.next()?.equalsIgnoringCase("bearer") ?? false
        } ?? false
    }

    /// `detail` is needed if the type itself is one of `types`.
    private static func unsupported(_ types: BodyTypes, _ detail: Sentence? = nil) -> HTTPFailure {
        let names = types.names.filter { !$0.contains("*+") }
        let list =
            names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])" : names[0]
        return HTTPFailure(
            .unsupportedMediaType, detail ?? "The Content-Type must be \(list).",
            fields: [.accept: names.joined(separator: ", ")])
    }
}

/// Refuses what a call does not declare: parameters if it has no query, and a body if it has none.
///
/// It runs before every handler, for calls with credentials after these are checked. The handlers of calls with a query
/// or a body read them with their declarations, which refuse unknown names themselves.
struct InputRules: Sendable {
    private let refusesParameters: Bool
    private let refusesBody: Bool
    fileprivate var refusesNothing: Bool { !refusesParameters && !refusesBody }

    init(_ api: APIOperation) {
        refusesParameters = api.description.query == nil && api.refusesOtherParameters
        refusesBody = api.refusesBody
    }

    private static let maximumBodyBytes = 65_536

    /// Throws 422 for a parameter. Throws 400, 413, 415 or 422 for a body that is neither empty nor `{}`, which some
    /// clients send with every POST.
    func check(_ request: Request) throws(HTTPFailure) {
        if refusesParameters, request.head.withQuery({ !$0.isEmpty }) { _ = try NoFields(query: request) }
        guard refusesBody, !request.body.isEmpty else { return }
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumBodyBytes)
        if !bytes.isEmpty { _ = try NoFields(body: try RequestBody.object(in: bytes)) }
    }
}

extension Endpoint {
    /// The same endpoint, called only for requests that satisfy `rules`.
    func checking(_ rules: InputRules) -> Endpoint {
        guard !rules.refusesNothing else { return self }
        return switch self {
        case .immediate(let handler):
            .immediate { request in
                try rules.check(request)
                return try handler(request)
            }
        case .remembered(let handler, let otherwise):
            // What is refused here is refused again, with its error, by the other endpoint.
            .remembered(
                { request in (try? rules.check(request)) == nil ? nil : handler(request) },
                otherwise: otherwise.checking(rules))
        case .blocking(let handler):
            .blocking { request in
                try rules.check(request)
                return try handler(request)
            }
        case .deferred(let handler):
            .deferred { request, reply in
                try rules.check(request)
                try handler(request, reply)
            }
        }
    }
}
