/// The media types that a route accepts for a request body.
///
/// Only ``any`` includes types that an HTML form can send (`application/x-www-form-urlencoded`, `multipart/form-data`,
/// `text/plain`). A page of another site can send any other type only after a CORS preflight request, which the server
/// never grants.
public struct BodyTypes: Sendable, Hashable {
    /// Types and ranges in lower case, each with at most one `*`. Empty for ``any``.
    public let names: [String]

    /// A JSON document, including types such as `application/vnd.example.v1+json`. The default.
    public static let json = BodyTypes(names: ["application/json", "application/*+json"])
    /// The catalogue as CSV or JSON; `application/octet-stream` is identified by its content.
    public static let catalogueFile = BodyTypes(names: [
        "text/csv", "application/json", "application/octet-stream", "application/vnd.ms-excel",
    ])
    /// Any type or none. Used for the protocols of third-party SDKs, whose requests have no credentials, and for PUT
    /// routes that identify a file by its content: a form cannot send PUT.
    public static let any = BodyTypes(names: [])

    /// Whether a type (lower case, no parameters) is accepted. It must have two parts and no list separator, so that
    /// `image/png, text/plain` is rejected.
    public func accepts(_ type: String) -> Bool {
        guard !names.isEmpty else { return true }
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, !type.contains(where: { $0 == "," || $0 == " " || $0 == "\t" })
        else { return false }
        return names.contains { name in
            guard let star = name.firstIndex(of: "*") else { return name == type }
            let (prefix, suffix) = (name[..<star], name[name.index(after: star)...])
            return type.utf8.count > prefix.utf8.count + suffix.utf8.count && type.hasPrefix(prefix)
                && type.hasSuffix(suffix)
        }
    }
}
