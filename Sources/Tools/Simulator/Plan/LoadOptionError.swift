/// An option whose value cannot be used.
package struct LoadOptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// As it is written on the command line, with its hyphens.
    package let option: String
    package let reason: String

    package init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }

    package var description: String { "\(option): \(reason)" }
}
