import Foundation

/// Why a ``RawClient`` did not receive the expected data.
package enum RawClientError: Error, Equatable, CustomStringConvertible {
    /// A system call failed, such as `connect`.
    case system(call: String, errno: Int32)
    /// Timed out after `received`.
    case timedOut(received: String)
    /// The connection ended within the response.
    case closed(received: String)
    /// The connection was reset within the response.
    case reset(received: String)
    /// The bytes are not an HTTP/1.1 response.
    case malformed(String)

    package var description: String {
        switch self {
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        case .timedOut(let received): "timed out after receiving \"\(received)\""
        case .closed(let received): "closed after receiving \"\(received)\""
        case .reset(let received): "reset after receiving \"\(received)\""
        case .malformed(let reason): "not a response: \(reason)"
        }
    }
}
