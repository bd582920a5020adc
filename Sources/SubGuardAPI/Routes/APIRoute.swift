/// One call of the contract: which method of which address, and who may make it.
public struct APIRoute: Sendable, Hashable {
    public let method: String
    /// With typed holes, such as `/api/v1/catalogue/{id:uuid}`.
    public let path: String
    /// The permission that an admin call needs; `nil` for calls of devices.
    public let permission: String?
    /// Whether a signed-in person's access token is needed.
    public let needsSession: Bool

    init(_ method: String, _ path: String, permission: String? = nil, needsSession: Bool = false) {
        self.method = method
        self.path = path
        self.permission = permission
        self.needsSession = needsSession
    }

    /// The path as documents write it, holes without their types.
    public var template: String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in
                guard part.hasPrefix("{"), let colon = part.firstIndex(of: ":") else { return String(part) }
                return part[..<colon] + "}"
            }
            .joined(separator: "/")
    }
}
