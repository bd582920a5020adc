/// One call of the contract: which method of which address, and who may make it.
public struct APIRoute: Sendable, Hashable {
    public let method: String
    /// With typed holes, such as `/api/v1/catalogue/{id:uuid}`.
    public let path: String
    /// The permission that an admin call needs; `nil` for calls that need no credentials.
    public let permission: String?

    init(_ method: String, _ path: String, permission: String? = nil) {
        self.method = method
        self.path = path
        self.permission = permission
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
