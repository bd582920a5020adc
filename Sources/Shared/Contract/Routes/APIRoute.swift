import TextCoding

/// One call of the contract: which method of which address, and who may make it.
public struct APIRoute: Sendable, Hashable {
    public let method: String
    /// With typed holes, such as `/api/v1/catalogue/{id:uuid}`.
    public let path: String
    /// The permission that an admin call needs; `nil` for calls of devices, and for admin calls that every token may make.
    public let permission: String?
    /// Whether an access token of the administration is needed: true wherever there is a ``permission``.
    public let needsToken: Bool
    /// Whether a signed-in person's access token is needed.
    public let needsSession: Bool
    /// The media types that a body may have.
    public let bodyTypes: BodyTypes

    init(
        _ method: String, _ path: String, permission: String? = nil, needsToken: Bool = false,
        needsSession: Bool = false, bodyTypes: BodyTypes = .json
    ) {
        self.method = method
        self.path = path
        self.permission = permission
        self.needsToken = needsToken || permission != nil
        self.needsSession = needsSession
        self.bodyTypes = bodyTypes
    }

    /// Whether the call acts with the rights of a token or a session, so that nobody else may cause it or see its answer.
    public var needsCredentials: Bool { needsToken || needsSession }
    /// Whether the call may change something. A body of one that does not is ignored.
    public var isWrite: Bool { method != "GET" }

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
