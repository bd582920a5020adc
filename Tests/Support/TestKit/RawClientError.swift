import Foundation

/// Why a ``RawClient`` did not get what the test waited for.
package enum RawClientError: Error, Equatable, CustomStringConvertible {
    /// A system call failed, e.g. `connect`.
    case system(call: String, errno: Int32)
    /// Nothing more came in time. `received` is what had come.
    case timedOut(received: String)
    /// The connection ended before the response did.
    case closed(received: String)
    /// The connection was reset before the response ended.
    case reset(received: String)
    /// The bytes are no HTTP/1.1 response.
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
