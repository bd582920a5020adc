/// The queue in which a writing transaction waits. Transactions in one lane run one after another, across all servers
/// of a database.
///
/// SQLite has one writer and so one lane. On PostgreSQL the figures, which are counted shortly after events are
/// accepted, have their own lane and do not delay other writes.
package enum SQLWriteLane: Sendable {
    /// Everything that has no other lane.
    case general
    /// Users and all figures. A transaction of the general lane that also writes them enters this lane too, never the
    /// other way round.
    case figures
}
