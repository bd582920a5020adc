/// Where a writing transaction waits for its turn. Those of one line go one after another, over all servers of a database.
///
/// SQLite has one writer and so one line, whatever is asked for. On PostgreSQL the figures, which are counted a little
/// later than what they count was accepted, do not hold up anybody else.
package enum SQLWriteLine: Sendable {
    /// Everything that is not in another line.
    case general
    /// Users and all figures. A transaction of the general line that has to write them, too, enters this one as well;
    /// never the other way round.
    case figures
}
