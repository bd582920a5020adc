import SubGuardAPI

/// Why the client could not do what it was asked to. Nothing that waited is lost by any of them.
public enum ClientError: Error, Sendable, Hashable {
    /// No answer came: offline, no such host, cut off.
    case unreachable(String)
    /// The server said no. `code` is that of its problem document, nil where it sent none.
    case refused(status: Int, code: String?, detail: String)
    /// The answer is none that this version understands.
    case unreadable(call: String)
    /// The server sent the client elsewhere; no call of the contract does.
    case redirected
    case answerTooLarge
    case cancelled
    /// Nobody is signed in with this server.
    case notSignedIn
    /// The server knows the session no more; sign in again.
    case sessionEnded
    /// The file of the credentials could be read by others, or cannot be used; the reason names it.
    case credentials(String)
    /// Another process is synchronising.
    case busy
    /// The device's store said no.
    case store(String)

    /// Whether the server itself found fault with what was sent. Something on the way that says 400 or 413 has not read it.
    var isVerdict: Bool {
        guard case .refused(let status, let code?, _) = self else { return false }
        return [400, 413, 422].contains(status) && ProblemCode(rawValue: code) != nil
    }

    /// A stable word for scripts.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .refused(_, let code, _): code ?? "refused"
        case .unreadable: "unreadable_answer"
        case .redirected: "redirected"
        case .answerTooLarge: "answer_too_large"
        case .cancelled: "cancelled"
        case .notSignedIn: "not_signed_in"
        case .sessionEnded: "session_ended"
        case .credentials: "unsafe_credentials"
        case .busy: "busy"
        case .store: "storage"
        }
    }
}

extension ClientError: CustomStringConvertible {
    /// The server's words on one line, at most 300 characters, nothing in them that a terminal obeys.
    static func line(_ detail: String) -> String {
        let scalars = detail.unicodeScalars.prefix(300).map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    public var description: String {
        switch self {
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .refused(let status, _, let detail): "the server refused with \(status): \(detail)"
        case .unreadable(let call): "the answer to \(call) cannot be understood"
        case .redirected: "the server redirects to another address, which is not followed"
        case .answerTooLarge: "the answer is too large"
        case .cancelled: "cancelled"
        case .notSignedIn: "nobody is signed in with this server"
        case .sessionEnded: "the session has ended; sign in again"
        case .credentials(let reason): reason
        case .busy: "another process is synchronising"
        case .store(let reason): reason
        }
    }
}
