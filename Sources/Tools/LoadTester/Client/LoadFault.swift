/// Why a request has no response.
enum LoadFault: String, Error, Sendable, CaseIterable {
    case connect = "could not connect"
    case tls = "TLS failed"
    case closed = "connection closed"
    case timeout = "no answer in time"
    case malformed = "answer not understood"
    /// Due, but no connection was free before the end.
    case unsent = "never sent"
}

/// An option with an unusable value.
package struct LoadOptionError: Error, Equatable, CustomStringConvertible {
    /// The name on the command line, including its hyphens.
    let option: String
    let reason: String

    init(_ option: String, _ reason: String) { (self.option, self.reason) = (option, reason) }

    package var description: String { "\(option): \(reason)" }
}
