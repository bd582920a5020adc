/// Why a request has no answer.
package enum LoadFault: String, Sendable, CaseIterable {
    case connect = "could not connect"
    case closed = "connection closed"
    case timeout = "no answer in time"
    case malformed = "answer not understood"
    /// Due, but no connection was free before the end.
    case unsent = "never sent"
}

/// The load cannot start.
package enum LoadError: Error, Sendable, CustomStringConvertible {
    case cannotConnect(String)
    case system(call: String, errno: Int32)

    package var description: String {
        switch self {
        case .cannotConnect(let address): "--url: nothing answers at \(address)"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
