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

    /// Entries that are alike.
    private struct Known {
        var count = 0
        var references: [String: Int] = [:]
        private var referenced = 0
        /// Of a statement: those with references that no earlier statement has.
        private var unmatched = 0
        private var kept = 0

        mutating func add(_ booking: StatementBooking) {
            count += 1
            guard !booking.reference.isEmpty else { return }
            references[booking.reference, default: 0] += 1
            referenced += 1
        }

        /// Adds an entry of a statement. Returns whether earlier ones have it.
        mutating func add(_ booking: StatementBooking, known: Known) -> Bool {
            add(booking)
            let isKnown: Bool
            if booking.reference.isEmpty || known.references.isEmpty {
                isKnown = count <= known.count
            } else if references[booking.reference, default: 0] <= known.references[booking.reference, default: 0] {
                isKnown = true
            } else {
                // It may be one of those without a reference.
                unmatched += 1
                isKnown = unmatched <= known.count - known.referenced
            }
            if !isKnown { kept += 1 }
            return isKnown
        }

        mutating func merge(_ statement: Known) {
            references.merge(statement.references, uniquingKeysWith: max)
            referenced = references.values.reduce(0, +)
            count = max(count + statement.kept, referenced)
        }
    }

    private struct Account {
        /// Of all statements so far.
        var entries: [Entry: Known] = [:]
        /// The first statement: counting takes time, and most accounts have one only.
        var uncounted: [StatementBooking] = []
    }

    private var accounts: [String: Account] = [:]

    /// Knows no statement yet.
    package init() {}

    /// Removes the entries of a statement that earlier ones of the account have. Without references, as many alike
    /// entries are removed as the earlier statements have.
    ///
    /// - Parameters:
    ///   - bookings: those of the statement last.
    ///   - start: where the entries of the statement begin; those before stay.
    ///   - account: its number; empty for unknown, which is an account of its own.
    package mutating func remove(
        from bookings: inout [StatementBooking], after start: Int = 0, of account: String = ""
    ) {
        guard start < bookings.count else { return }
        guard var known = accounts.removeValue(forKey: account) else {
            accounts[account] = Account(uncounted: start == 0 ? bookings : Array(bookings[start...]))
            return
        }
        for booking in known.uncounted { known.entries[Entry(booking), default: Known()].add(booking) }
        known.uncounted = []
        var own: [Entry: Known] = [:]
        var end = start
        for place in start..<bookings.count {
            let entry = Entry(bookings[place])
            if own[entry, default: Known()].add(bookings[place], known: known.entries[entry] ?? Known()) { continue }
            bookings.swapAt(end, place)
            end += 1
        }
        bookings.removeSubrange(end...)
        for (entry, statement) in own { known.entries[entry, default: Known()].merge(statement) }
        accounts[account] = known
    }
}
