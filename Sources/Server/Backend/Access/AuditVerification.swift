/// What reading the whole audit chain found.
package struct AuditVerification: Sendable, Hashable {
    /// The first place where the chain does not hold. Nothing after it can be trusted either.
    package struct Break: Sendable, Hashable {
        package enum Reason: String, Sendable {
            /// The row does not give its hash: it, or the hash, was edited.
            case altered
            /// A row of this sequence should be here and is not.
            case missing
            /// The row holds something that this program never writes.
            case malformed
            /// The rows are whole, but the end that was noted with the last change is another one.
            case headDiffers = "head_differs"
        }

        package let sequence: Int64
        package let reason: Reason
    }

    /// Rows read up to the break, or all of them.
    package let count: Int64
    package let firstBroken: Break?

    package var isIntact: Bool { firstBroken == nil }
}
