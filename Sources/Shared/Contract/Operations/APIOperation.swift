import TextCoding

/// One call of the contract, declared once: the route table, the permission gate, clients and the OpenAPI document read
/// it.
public struct APIOperation: Sendable {
    public let method: Method
    /// With typed holes, such as `/api/v1/catalogue/{id:uuid}`.
    public let path: String
    public let access: Access
    /// The media types that a body may have.
    public let bodyTypes: BodyTypes
    /// What documents say of it.
    package let description: Description

    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// Who may make the call.
    public enum Access: Sendable, Hashable {
        /// Everybody.
        case open
        /// A person who is signed in.
        case session
        /// Every holder of an access token.
        case token
        /// A holder of an access token whose role has the permission.
        case permission(Permission)
    }

    /// - Parameters:
    ///   - id: the name of the call in generated clients, such as `listAlerts`.
    ///   - query: the object that holds the query parameters.
    ///   - holes: what stands in the holes of the path, in their order.
    ///   - problems: codes beyond those that follow from the other parameters; see ``problemCodes``.
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

    /// The permission that an admin call needs; nil for calls of devices, and for admin calls that every token may make.
    public var permission: Permission? {
        if case .permission(let permission) = access { permission } else { nil }
    }
    /// Whether an access token of the administration is needed.
    public var needsToken: Bool { permission != nil || access == .token }
    /// Whether a signed-in person's access token is needed.
    public var needsSession: Bool { access == .session }
    /// Whether the call acts with the rights of a token or a session, so that nobody else may cause it or see its answer.
    public var needsCredentials: Bool { access != .open }
    /// Whether the call may change something. A body of one that does not is ignored.
    public var isWrite: Bool { method != .get }
    /// Whether an `Idempotency-Key` makes a repetition harmless.
    public var isIdempotent: Bool { needsToken && method == .post }

    /// The path as documents write it, holes without their types.
    public var template: String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                guard part.hasPrefix("{"), let colon = part.firstIndex(of: ":") else { return String(part) }
                return part[..<colon] + "}"
            }
            .joined(separator: "/")
    }

    /// The path with its holes filled in order; what stands in a hole is percent-encoded.
    package func path(_ values: String...) -> String {
        var values = values[...]
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in part.hasPrefix("{") ? PercentCoding.encode(values.popFirst() ?? "") : String(part) }
            .joined(separator: "/")
    }
}

/// Two operations are the same when they have the same method and address.
extension APIOperation: Hashable {
    public static func == (left: APIOperation, right: APIOperation) -> Bool {
        left.method == right.method && left.path == right.path
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
    }
}
