import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

/// Adds to a problem the header fields and members that Sentry SDKs expect.
enum SentryFailure {
    /// Adds `X-Sentry-Error` with a message and, for 429, `X-Sentry-Rate-Limits` in seconds for all categories of this
    /// key.
    static func addFields(_ failure: HTTPFailure, to response: inout Response) {
        response.fields[.sentryError] = failure.detail
        guard response.status.code == 429, let seconds = response.fields[.retryAfter] else { return }
        response.fields[.sentryRateLimits] = "\(seconds)::key:rate_limited"
    }

    /// One text per cause, expected by the protocol besides `detail`.
    static func causes(_ failure: HTTPFailure) -> [String] {
        failure.faults.isEmpty ? [failure.code.rawValue] : failure.faults.map { "\($0.pointer): \($0.detail)" }
    }
}

extension HTTPField.Name {
    // The names are valid tokens, so the fallbacks are never used.
    static let sentryError = HTTPField.Name("X-Sentry-Error") ?? .retryAfter
    static let sentryRateLimits = HTTPField.Name("X-Sentry-Rate-Limits") ?? .retryAfter
}
