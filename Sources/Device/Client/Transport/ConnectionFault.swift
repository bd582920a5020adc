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
