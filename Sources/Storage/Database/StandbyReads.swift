/// The reads of this process that may use a standby, by what became of them, and why it cannot be used now.
package struct StandbyReads: Sendable, Equatable {
    /// The standby served them.
    package var served: Int64 = 0
    /// The primary served them, because the standby had not replayed everything in time, or is no standby any more.
    package var late: Int64 = 0
    /// The primary served them, because the standby did not respond or rejected the connection.
    package var unavailable: Int64 = 0
    /// What the last attempt failed with; nil after one that did not fail.
    package var fault: SQLError?

    package init() {}
}
