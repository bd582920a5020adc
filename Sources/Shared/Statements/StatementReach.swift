package import SubGuardDomain

/// Until when the accounts of several statements are known, so that a statement that reaches further ends no
/// subscription of another account.
///
/// Files seldom name their account. Two are taken for the same one if they have the same format and columns, and in the
/// days they have in common at least half of the entries; without such days, one continues the other. Two accounts at
/// one bank, of which one file begins after the other has ended, are taken for one.
package struct StatementReach {
    private struct Entry: Hashable {
        var on: CalendarDay
        var amount: Money
        var payee: String
    }

    private struct File {
        var format: StatementFormat
        var columns: [String]
        var days: ClosedRange<CalendarDay>
        var entries: Set<Entry>

        func isOfAccount(of other: File) -> Bool {
            guard format == other.format, columns == other.columns else { return false }
            guard days.overlaps(other.days) else { return true }
            let common = days.clamped(to: other.days)
            let own = entries.filter { common.contains($0.on) }
            let others = other.entries.filter { common.contains($0.on) }
            return own.intersection(others).count * 2 >= max(own.count, others.count)
        }
    }

    /// Nil for a file without entries.
    private var files: [File?] = []

    /// Knows no statement yet.
    package init() {}

    /// Adds the next statement, with all its entries.
    package mutating func add(_ statement: Statement) {
        let days = statement.bookings.map(\.on)
        guard let first = days.min(), let last = days.max() else { return files.append(nil) }
        files.append(
            File(
                format: statement.format, columns: statement.layout?.names ?? [], days: first...last,
                entries: Set(statement.bookings.map { Entry(on: $0.on, amount: $0.amount, payee: $0.payee) })))
    }

    /// The last day of each file's account, in the order of the files; nil for a file without entries.
    package var lastDays: [CalendarDay?] {
        files.map { file in
            guard let file else { return nil }
            return files.compactMap { $0 }.filter { file.isOfAccount(of: $0) }.map(\.days.upperBound).max()
        }
    }
}
