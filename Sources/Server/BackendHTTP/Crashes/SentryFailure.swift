import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

/// What an error must carry besides the problem for a Sentry SDK to understand it.
enum SentryFailure {
    /// `X-Sentry-Error` for people, and for 429 `X-Sentry-Rate-Limits`: how many seconds, for all categories, of this
    /// key.
    static func addFields(_ failure: HTTPFailure, to response: inout Response) {
        response.fields[.sentryError] = failure.detail
        guard response.status.code == 429, let seconds = response.fields[.retryAfter] else { return }
        response.fields[.sentryRateLimits] = "\(seconds)::key:rate_limited"
    }

    /// One line a cause, as the protocol wants them beside `detail`.
    static func causes(_ failure: HTTPFailure) -> [String] {
        failure.faults.isEmpty ? [failure.code.rawValue] : failure.faults.map { "\($0.pointer): \($0.detail)" }
    }
}

extension HTTPField.Name {
    // The names are valid tokens.
    static let sentryError = HTTPField.Name("X-Sentry-Error") ?? .retryAfter
    static let sentryRateLimits = HTTPField.Name("X-Sentry-Rate-Limits") ?? .retryAfter
}
