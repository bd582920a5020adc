import Foundation
public import SubGuardDomain

/// An error of the client. Queued data is never lost.
public enum ClientError: Error, Sendable, Hashable, Codable {
    /// No response: offline, unknown host, connection lost.
    case unreachable(ConnectionFault)
    /// The server's certificate is not trusted.
    case untrusted(CertificateFault)
    /// The server refused the request. `code` is from its problem document; nil without one.
    case refused(status: Int, code: String?, detail: String)
    /// The response cannot be parsed by this version.
    case unreadable(call: String)
    /// The server redirects, which the contract never does.
    case redirected
    /// The response has more bytes than the call allows.
    case answerTooLarge
    /// The task was cancelled.
    case cancelled
    /// Not signed in to this server.
    case notSignedIn
    /// The session has expired; sign in again.
    case sessionEnded
    /// The credentials are unsafe or unusable.
    case credentials(CredentialFault)
    /// Another process is syncing.
    case busy
    /// The path of the lock is not a regular file of this user.
    case unsafeLock(path: String)
    /// The time limit was reached before this part started.
    case outOfTime
    /// The clocks of the device and the server differ by more than a day; what would be dropped by them is kept.
    case wrongClock
    /// The maximum of one sync was sent, and data is still queued.
    case moreLeft
    /// The database or disk failed; the reason is a short phrase.
    case store(String)

    /// Whether the server itself rejected the content, as opposed to a proxy that responds with 400 or 413.
    var isVerdict: Bool {
        guard case .refused(let status, let code?, _) = self else { return false }
        return [400, 413, 422].contains(status) && ProblemCode(rawValue: code) != nil
    }

    /// Whether it is certain that no request was sent.
    var isBeforeRequest: Bool {
        switch self {
        case .unreachable(let fault): fault.isBeforeRequest
        case .untrusted, .outOfTime: true
        default: false
        }
    }

    /// A stable code for scripts.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .untrusted: "untrusted_certificate"
        case .refused(_, let code, _): code ?? "refused"
        case .unreadable: "unreadable_answer"
        case .redirected: "redirected"
        case .answerTooLarge: "answer_too_large"
        case .cancelled: "cancelled"
        case .notSignedIn: "not_signed_in"
        case .sessionEnded: "session_ended"
        case .credentials: "unsafe_credentials"
        case .busy: "busy"
        case .unsafeLock: "unsafe_lock"
        case .outOfTime: "out_of_time"
        case .wrongClock: "wrong_clock"
        case .moreLeft: "more_left"
        case .store: "storage"
        }
    }
}

extension ClientError: CustomStringConvertible {
    /// The server's message on one line, at most 300 characters, without control characters.
    static func line(_ detail: String) -> String {
        let scalars = detail.unicodeScalars.prefix(300).map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// English text for logs, such as `server unreachable: timed out`.
    public var description: String {
        switch self {
        case .unreachable(let fault): "server unreachable: \(fault)"
        case .untrusted(let fault): "certificate not trusted: \(fault)"
        case .refused(let status, _, let detail): "the server responded with status \(status): \(detail)"
        case .unreadable(let call): "cannot read the server's response to \(call)"
        case .redirected: "the server redirects to another address; redirects are not followed"
        case .answerTooLarge: "the response is too large"
        case .cancelled: "cancelled"
        case .notSignedIn: "not signed in to this server"
        case .sessionEnded: "the session has expired; sign in again"
        case .credentials(let fault): "\(fault)"
        case .busy: "another process is syncing"
        case .unsafeLock(let path): "\(path) is not a regular file that you own; remove it"
        case .outOfTime: "the sync took too long; the rest is sent with the next one"
        case .wrongClock:
            "the clocks of this device and the server differ by more than a day; correct the wrong one and sync again"
        case .moreLeft: "more is queued than one sync sends; the next sync continues"
        case .store(let reason): reason
        }
    }
}

extension ClientError {
    /// The error for the user. What the server or the system says itself stays in its own words.
    public func displayText(_ language: DisplayLanguage) -> String { language.lines(description) }

    /// The error as text for storage; ``init(note:)`` restores it, so that it can be shown in any language later.
    package var note: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and numbers only, so encoding cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? description
    }

    /// Nil for a text of another version.
    package init?(note: String) {
        guard let error = try? JSONDecoder().decode(ClientError.self, from: Data(note.utf8)) else { return nil }
        self = error
    }
}

/// Why there was no valid response.
public enum ConnectionFault: Sendable, Hashable, Codable {
    /// The connection was refused.
    case nobodyListens
    /// The name of the host cannot be resolved.
    case noSuchHost
    /// The device has no network.
    case offline
    /// The TLS handshake failed for a reason other than the certificate.
    case noTLS
    /// What answers speaks another protocol.
    case noHTTP
    /// A malformed HTTP response.
    case garbled
    /// The connection closed before the response was complete.
    case cut
    /// No complete response within the time limit.
    case timedOut
    /// The system cannot read the address.
    case unusableAddress
    /// Any other error, in the words of the system.
    case other(String)

    /// Whether it is certain that no request was sent.
    public var isBeforeRequest: Bool {
        switch self {
        case .nobodyListens, .noSuchHost, .offline, .noTLS, .unusableAddress: true
        case .noHTTP, .garbled, .cut, .timedOut, .other: false
        }
    }
}

extension ConnectionFault: CustomStringConvertible {
    /// A short English phrase, such as `connection refused`; the system's own words for ``other(_:)``.
    public var description: String {
        switch self {
        case .nobodyListens: "connection refused"
        case .noSuchHost: "host not found"
        case .offline: "no network connection"
        case .noTLS: "TLS handshake failed"
        case .noHTTP: "not an HTTP server"
        case .garbled: "invalid response"
        case .cut: "connection lost"
        case .timedOut: "timed out"
        case .unusableAddress: "invalid address"
        case .other(let reason): reason
        }
    }
}

/// Why a server's certificate is not trusted. No request was sent.
public enum CertificateFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// Signed by an authority that this device does not trust.
    case unknownAuthority
    /// Signed by itself.
    case selfSigned
    /// It names other hosts.
    case otherHost
    /// Its last day has passed by this device's clock.
    case expired
    /// Its first day is to come by this device's clock.
    case notYetValid
    /// Its authority revoked it.
    case revoked
}

extension CertificateFault: CustomStringConvertible {
    /// A short English phrase, such as `self-signed certificate`.
    public var description: String {
        switch self {
        case .unknownAuthority: "unknown certificate authority"
        case .selfSigned: "self-signed certificate"
        case .otherHost: "issued for another host"
        case .expired: "expired, or this device's clock is wrong"
        case .notYetValid: "not valid yet, or this device's clock is wrong"
        case .revoked: "certificate revoked"
        }
    }
}
