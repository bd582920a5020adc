public import SubGuardDomain
import TextCoding

/// One call of the contract. Routing, permission checks, clients and the OpenAPI document use this declaration.
public struct APIOperation: Sendable {
    public let method: Method
    /// The path with typed parameters, such as `/api/v1/catalogue/{id:uuid}`.
    public let path: String
    public let access: Access
    public let bodyTypes: BodyTypes
    /// The description in the OpenAPI document.
    package let description: Description

    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public enum Access: Sendable, Hashable {
        /// Anyone.
        case open
        /// A signed-in user.
        case session
        /// The holder of any access token.
        case token
        /// A holder of an access token whose role has the permission.
        case permission(Permission)
    }

    /// - Parameters:
    ///   - id: the name of the call in generated clients, such as `listAlerts`.
    ///   - query: the object with the query parameters.
    ///   - holes: the path parameters, in order.
    ///   - problems: codes beyond those implied by the other parameters; see ``problemCodes``.
    package init(
        _ method: Method, _ path: String, _ id: String, tag: Tag, access: Access, summary: String,
        _ details: String = "", holes: [Hole] = [], query: Query? = nil, body: Body? = nil,
        answers: [Answer], problems: [ProblemCode] = [], traits: Traits = []
    ) {
        self.method = method
        self.path = path
        self.access = access
        bodyTypes = body?.types ?? .json
        description = Description(
            id: id, tag: tag, summary: summary, details: details, holes: holes, query: query, body: body,
            answers: answers, problems: problems, traits: traits)
    }

    /// The permission required by an admin call; nil for calls of devices and for admin calls open to every token.
    public var permission: Permission? {
        if case .permission(let permission) = access { permission } else { nil }
    }
    /// Whether the call requires an admin access token.
    public var needsToken: Bool { permission != nil || access == .token }
    /// Whether the call requires the access token of a session.
    public var needsSession: Bool { access == .session }
    /// Whether the call requires a token, so that other sites must not trigger it and caches must not store its
    /// response.
    public var needsCredentials: Bool { access != .open }
    /// Whether the call may change something. The body of any other call is ignored.
    public var isWrite: Bool { method != .get }
    /// Whether query parameters that the call does not declare are refused.
    package var refusesOtherParameters: Bool { !description.traits.contains(.anyQuery) }
    /// Whether the call may have no body other than `{}`.
    package var refusesBody: Bool { isWrite && description.body == nil }
    /// Whether the call accepts an `Idempotency-Key`.
    public var isIdempotent: Bool { needsToken && method == .post }

    /// The path template of the OpenAPI document: parameters without types.
    public var template: String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                guard part.hasPrefix("{"), let colon = part.firstIndex(of: ":") else { return String(part) }
                return part[..<colon] + "}"
            }
            .joined(separator: "/")
    }

    /// Inserts percent-encoded values into the path, in order.
    package func path(_ values: String...) -> String {
        var values = values[...]
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in part.hasPrefix("{") ? PercentCoding.encode(values.popFirst() ?? "") : String(part) }
            .joined(separator: "/")
    }
}

/// Operations are equal if their methods and paths are equal.
extension APIOperation: Hashable {
    public static func == (left: APIOperation, right: APIOperation) -> Bool {
        left.method == right.method && left.path == right.path
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
    }
}
