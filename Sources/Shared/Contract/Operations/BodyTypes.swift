/// The media types that a route takes for a request body.
///
/// No list but ``any`` holds a type that an HTML form can send (`application/x-www-form-urlencoded`,
/// `multipart/form-data`, `text/plain`): a page of another site cannot send any other type without asking this server for
/// permission first (a CORS preflight request), which the server never grants.
public struct BodyTypes: Sendable, Hashable {
    /// Types and ranges in lower case, at most one `*` in each. Empty for ``any``.
    public let names: [String]

    /// One JSON document, also under a type of its own such as `application/vnd.example.v1+json`. The default.
    public static let json = BodyTypes(names: ["application/json", "application/*+json"])
    /// The catalogue as a file: CSV, JSON, or one of the two by its content.
    public static let catalogueFile = BodyTypes(names: ["text/csv", "application/json", "application/octet-stream"])
    /// Any type, or none. For the protocols of other makers' SDKs, which carry no credentials, and for PUT routes that
    /// identify a file by its content: a form cannot send PUT.
    public static let any = BodyTypes(names: [])

    /// Whether a type without parameters, in lower case, is one of these. It must have both parts and no list separator, so
    /// that `image/png, text/plain` is no image.
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
