import SubGuardDomain

/// Entries that statements of one account have in common: two days of the same report, or two files.
package struct StatementOverlap {
    private struct Entry: Hashable {
        var on: CalendarDay
        var amount: Money
        var payee: String

        init(_ booking: StatementBooking) {
            (on, amount, payee) = (booking.on, booking.amount, PayeeName(booking).key)
        }
    }

    private struct Account {
        /// The most of each kind that one statement has.
        var counts: [Entry: Int] = [:]
        /// The first statement: counting takes time, and most accounts have one only.
        var uncounted: [StatementBooking] = []
    }

    private var accounts: [String: Account] = [:]

    /// Knows no statement yet.
    package init() {}

    /// Removes the entries of a statement that earlier ones of the account have: as many of each kind as they have.
    ///
    /// - Parameter start: where the entries of the statement begin; those before stay.
    /// - Parameter account: its number; empty for unknown, which is an account of its own.
    package mutating func remove(
        from bookings: inout [StatementBooking], after start: Int = 0, of account: String = ""
    ) {
        guard start < bookings.count else { return }
        guard var known = accounts.removeValue(forKey: account) else {
            accounts[account] = Account(uncounted: start == 0 ? bookings : Array(bookings[start...]))
            return
        }
        for booking in known.uncounted { known.counts[Entry(booking), default: 0] += 1 }
        known.uncounted = []
        var counts: [Entry: Int] = [:]
        var end = start
        for place in start..<bookings.count {
            let entry = Entry(bookings[place])
            let count = counts[entry, default: 0] + 1
            counts[entry] = count
            guard count > known.counts[entry, default: 0] else { continue }
            known.counts[entry] = count
            bookings.swapAt(end, place)
            end += 1
        }
        bookings.removeSubrange(end...)
        accounts[account] = known
    }
}
