import Foundation
import SubGuardContract

/// Why the client could not do what it was asked to. Nothing that waited is lost by any of them.
public enum ClientError: Error, Sendable, Hashable, Codable {
    /// No answer came: offline, no such host, cut off.
    case unreachable(ConnectionFault)
    /// The server has not proved by its certificate who it is.
    case untrusted(CertificateFault)
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
    /// The file of the credentials could be read by others, or cannot be used.
    case credentials(CredentialFault)
    /// Another process is synchronising.
    case busy
    /// Something else than a file of its own stands where the lock of the synchronisation belongs.
    case unsafeLock(path: String)
    /// The time of the synchronisation was up before this was its turn.
    case outOfTime
    /// One synchronisation sends no more than it has sent, and something still waits.
    case moreLeft
    /// The device's store or its disk said no; the reason is a few words.
    case store(String)

    /// Whether the server itself found fault with what was sent. Something on the way that says 400 or 413 has not read it.
    var isVerdict: Bool {
        guard case .refused(let status, let code?, _) = self else { return false }
        return [400, 413, 422].contains(status) && ProblemCode(rawValue: code) != nil
    }

    /// Whether it is certain that nothing of the call has left the device.
    var isBeforeRequest: Bool {
        switch self {
        case .unreachable(let fault): fault.isBeforeRequest
        case .untrusted, .outOfTime: true
        default: false
        }
    }

    /// A stable word for scripts.
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
        case .moreLeft: "more_left"
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
        case .unreachable(let fault): "the server cannot be reached: \(fault)"
        case .untrusted(let fault): "the server cannot be trusted: \(fault)"
        case .refused(let status, _, let detail): "the server refused with \(status): \(detail)"
        case .unreadable(let call): "the answer to \(call) cannot be understood"
        case .redirected: "the server redirects to another address, which is not followed"
        case .answerTooLarge: "the answer is too large"
        case .cancelled: "cancelled"
        case .notSignedIn: "nobody is signed in with this server"
        case .sessionEnded: "the session has ended; sign in again"
        case .credentials(let fault): "\(fault)"
        case .busy: "another process is synchronising"
        case .unsafeLock(let path): "\(path) is a link or no file; remove it"
        case .outOfTime: "the synchronisation took too long; the rest waits for the next one"
        case .moreLeft: "more waits than one synchronisation sends; the rest waits for the next one"
        case .store(let reason): reason
        }
    }
}

extension ClientError {
    /// A text from which ``init(note:)`` makes the error again: the store keeps it, and whoever reads it later chooses
    /// the language.
    package var note: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers alone, which JSON can always hold.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? description
    }

    /// Nil for a text that no version like this one has noted.
    package init?(note: String) {
        guard let error = try? JSONDecoder().decode(ClientError.self, from: Data(note.utf8)) else { return nil }
        self = error
    }
}

/// Why a server could not be reached, or did not answer.
public enum ConnectionFault: Sendable, Hashable, Codable {
    case nobodyListens
    case noSuchHost
    case offline
    /// No secure connection comes about, and no certificate is at fault.
    case noTLS
    case noHTTP
    /// It is HTTP, and wrong in itself.
    case garbled
    /// The connection ended before the answer did.
    case cut
    /// The answer was not there, or not all of it, when the time of the call was up.
    case timedOut
    case unusableAddress
    /// The few words that the system has for anything else.
    case other(String)

    /// Whether it is certain that nothing but the wish to connect has left the device.
    public var isBeforeRequest: Bool {
        switch self {
        case .nobodyListens, .noSuchHost, .offline, .noTLS, .unusableAddress: true
        case .noHTTP, .garbled, .cut, .timedOut, .other: false
        }
    }
}

extension ConnectionFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nobodyListens: "nothing listens there"
        case .noSuchHost: "there is no such host"
        case .offline: "the device is offline"
        case .noTLS: "it does not speak TLS there"
        case .noHTTP: "it does not speak HTTP"
        case .garbled: "its answer is garbled"
        case .cut: "the connection was cut"
        case .timedOut: "no answer came in time"
        case .unusableAddress: "the address cannot be used"
        case .other(let reason): reason
        }
    }
}

/// Why a server's certificate does not prove who it is. Nothing was sent to it.
public enum CertificateFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// Another authority has signed it, or none that this device knows.
    case unknownAuthority
    /// No authority has signed it at all.
    case selfSigned
    case otherHost
    case expired
    case notYetValid
    case revoked
}

extension CertificateFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownAuthority: "its certificate comes from an authority that this device does not know"
        case .selfSigned: "its certificate is signed by itself alone"
        case .otherHost: "its certificate is for another host"
        case .expired: "its certificate has expired, or this device's clock is wrong"
        case .notYetValid: "its certificate is not valid yet, or this device's clock is wrong"
        case .revoked: "its certificate was revoked"
        }
    }
}
