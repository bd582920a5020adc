import HTTPWire

/// Paths of Sentry and PostHog SDKs that this server does not support. Requests are counted, so that operators notice
/// misconfigured apps; the set is closed, so that clients cannot add metric labels.
enum UnknownIngestAddress: String, CaseIterable {
    // Sentry, below /ingest/api/{project_id}/.
    case minidump, security, unreal, playstation, attachment, feedback
    /// `envelope` or `store` under another path than the server's DSN specifies.
    case misplaced
    // PostHog, at the root.
    case capture, decide, flags, replay
    /// Scripts and remote settings that PostHog's SDK for browsers loads.
    case asset
    case other

    /// Nil for a path that no such SDK uses.
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard let first = parts.first, let last = parts.last else { return nil }
        switch first {
        case "ingest":
            // For `unreal` and `playstation`, the key may follow.
            self = Self.sentry[last] ?? parts.lazy.compactMap { Self.sentry[$0] }.first ?? .other
        case "api" where parts.count == 3 && Self.sentry[last] != nil: self = .misplaced
        case "capture", "e", "track", "engage": self = .capture
        case "i" where parts.count > 1 && parts[1] == "v0": self = .capture
        case "decide": self = .decide
        case "flags": self = .flags
        case "s": self = .replay
        case "array": self = .asset
        case "static" where path.hasSuffix(".js"): self = .asset
        default: return nil
        }
    }

    private static let sentry: [String: UnknownIngestAddress] = [
        "minidump": .minidump, "security": .security, "csp-report": .security, "unreal": .unreal,
        "playstation": .playstation, "attachments": .attachment, "user-feedback": .feedback, "envelope": .misplaced,
        "store": .misplaced,
    ]
}
