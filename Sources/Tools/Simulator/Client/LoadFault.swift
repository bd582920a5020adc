/// Why a request has no response.
package enum LoadFault: String, Sendable, CaseIterable {
    case connect = "could not connect"
    case tls = "TLS failed"
    case closed = "connection closed"
    case timeout = "no answer in time"
    case malformed = "answer not understood"
    /// Due, but no connection was free before the end.
    case unsent = "never sent"
}

/// Why the load cannot start.
package enum LoadError: Error, Sendable, CustomStringConvertible {
    case cannotConnect(String)
    case system(call: String, errno: Int32)
    /// Something that is needed and cannot be had, with the option that requested it.
    case unreadable(String)
    /// A request required for the run failed.
    case noAnswer(LoadFault)

    package var description: String {
        switch self {
        case .cannotConnect(let address): "--url: nothing answers at \(address)"
        case .unreadable(let reason): reason
        case .noAnswer(let fault): "--url: \(fault.rawValue)"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
