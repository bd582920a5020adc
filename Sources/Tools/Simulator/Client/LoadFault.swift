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
    /// What the system does not allow, in words.
    case tooManyDevices(String)
    /// Something beside the load that was to be read, with the option that asked for it.
    case unreadable(String)
    /// To a request that the run cannot do without.
    case noAnswer(LoadFault)

    package var description: String {
        switch self {
        case .cannotConnect(let address): "--url: nothing answers at \(address)"
        case .tooManyDevices(let reason): "--devices: \(reason)"
        case .unreadable(let reason): reason
        case .noAnswer(let fault): "--url: \(fault.rawValue)"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
