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

    /// The path with its holes filled in order; what stands in a hole is percent-encoded.
    package func path(_ values: String...) -> String {
        var values = values[...]
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { part in part.hasPrefix("{") ? Self.encoded(values.popFirst() ?? "") : String(part) }
            .joined(separator: "/")
    }

    private static func encoded(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return value.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }
}
