/// Bounds of one transfer.
package struct OutboundLimits: Sendable {
    package var connectMilliseconds = 5_000
    /// From the end of resolving to the end of the answer.
    package var totalMilliseconds = 15_000
    package var maximumAnswerBytes = 65_536
    /// A PEM file of authorities to trust; nil for the system's.
    package var certificateAuthorities: String?

    package init() {}
}
