import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

extension RefusalForm {
    /// Of Sentry SDKs: `X-Sentry-Error` with a message and, for 429, `X-Sentry-Rate-Limits` in seconds for all
    /// categories of this key; one text per cause besides `detail`.
    static let sentry = RefusalForm { failure in
        failure.faults.isEmpty ? [failure.code.rawValue] : failure.faults.map { "\($0.pointer): \($0.detail)" }
    } addFields: { failure, response in
        response.fields[.sentryError] = failure.detail
        guard response.status.code == 429, let seconds = response.fields[.retryAfter] else { return }
        response.fields[.sentryRateLimits] = "\(seconds)::key:rate_limited"
    }
}

extension HTTPField.Name {
    // The names are valid tokens, so the fallbacks are never used.
    static let sentryError = HTTPField.Name("X-Sentry-Error") ?? .retryAfter
    static let sentryRateLimits = HTTPField.Name("X-Sentry-Rate-Limits") ?? .retryAfter
}
