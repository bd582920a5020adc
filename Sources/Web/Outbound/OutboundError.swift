package import CCurl
import Synchronization

/// Why a transfer failed, described without the target, its credentials or its response, except the replies of a mail
/// server: without them, it is unknown why it refused a message.
package enum OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The target is not allowed.
    case notAllowed(String)
    case cannotResolve
    /// libcurl's message. `status` is the last status of the peer, 0 for none.
    case failed(String, status: Int)
    /// Why an ``HTTPExchange`` failed: libcurl's code and message, which may name the target, and OpenSSL's reason
    /// (X509_V_ERR_…) for a certificate; 0 or 1 when libcurl itself refused its name.
    case libcurl(CURLcode, String, certificate: Int)
    /// The last reply of a mail server, one line, with its status.
    case replied(String, status: Int)
    case answerTooLarge
    /// ``OutboundStop/stop()`` was called.
    case stopped

    package var description: String {
        switch self {
        case .notAllowed(let reason): reason
        case .cannotResolve: "the name of the target cannot be resolved"
        case .failed(let words, let status): status > 0 ? "\(words) (status \(status))" : words
        case .libcurl(_, let words, _): words
        case .replied(let reply, _): "the mail server replied: \(reply)"
        case .answerTooLarge: "the response is too large"
        case .stopped: "stopped"
        }
    }
}

/// The limits of one transfer.
package struct OutboundLimits: Sendable {
    package var connectMilliseconds = 5_000
    /// From the end of name resolution to the end of the response.
    package var totalMilliseconds = 15_000
    package var maximumAnswerBytes = 65_536
    /// A PEM file of trusted certificate authorities; nil for the system's.
    package var certificateAuthorities: String?

    package init() {}
}

/// Cancels running transfers and prevents new ones.
package final class OutboundStop: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isStopped: Bool { flag.load(ordering: .relaxed) }
    package func stop() { flag.store(true, ordering: .relaxed) }
}
