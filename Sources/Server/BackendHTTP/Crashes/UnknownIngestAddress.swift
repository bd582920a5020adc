import HTTPWire

/// An address at which SDKs of Sentry or PostHog send what this server does not take. Counted, so that an operator sees
/// that an app sends to nowhere; the set is closed, so that nobody can fill the metrics with names.
enum UnknownIngestAddress: String, CaseIterable {
    // Sentry, below /ingest/api/{project_id}/
    case minidump, security, unreal, playstation, attachment, feedback
    /// `envelope` or `store` at another place than a DSN of this server leads to.
    case misplaced
    // PostHog, at the root
    case capture, decide, flags, replay
    case other

    /// Nil for an address that no such SDK uses.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard let first = parts.first, let last = parts.last else { return nil }
        switch first {
        case "ingest":
            // Behind `unreal` and `playstation` the key may follow.
            self = Self.sentry[last] ?? parts.lazy.compactMap { Self.sentry[$0] }.first ?? .other
        case "api" where parts.count == 3 && Self.sentry[last] != nil: self = .misplaced
        case "capture", "e", "track", "engage": self = .capture
        case "i" where parts.count > 1 && parts[1] == "v0": self = .capture
        case "decide": self = .decide
        case "flags": self = .flags
        case "s": self = .replay
        default: return nil
        }
    }

    private static let sentry: [String: UnknownIngestAddress] = [
        "minidump": .minidump, "security": .security, "csp-report": .security, "unreal": .unreal,
        "playstation": .playstation, "attachments": .attachment, "user-feedback": .feedback, "envelope": .misplaced,
        "store": .misplaced,
    ]
}
