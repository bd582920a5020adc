/// Why a committed transaction may be lost although durability was promised.
package enum DurabilityFault: Sendable, Equatable {
    /// The database's setting `synchronous_commit` acknowledges a commit too early.
    case level(String)
    /// A commit waits for only so many standbys.
    case standbys(Int)
}
