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
        var references: Set<String> = []

        mutating func add(_ booking: StatementBooking) {
            count += 1
            if !booking.reference.isEmpty { references.insert(booking.reference) }
        }

        mutating func merge(_ other: Known) {
            references.formUnion(other.references)
            count = max(count, other.count, references.count)
        }

        /// Whether the entry is one of these; without references, as many are as there are here.
        func has(_ booking: StatementBooking, number: Int) -> Bool {
            booking.reference.isEmpty || references.isEmpty
                ? number <= count : references.contains(booking.reference)
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

    /// Removes the entries of a statement that earlier ones of the account have. Where the bank gives no references, as
    /// many of each kind are the same as the earlier statement with the most of them has.
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
            let (booking, entry) = (bookings[place], Entry(bookings[place]))
            var found = own[entry] ?? Known()
            found.add(booking)
            own[entry] = found
            if known.entries[entry]?.has(booking, number: found.count) ?? false { continue }
            bookings.swapAt(end, place)
            end += 1
        }
        bookings.removeSubrange(end...)
        for (entry, found) in own { known.entries[entry, default: Known()].merge(found) }
        accounts[account] = known
    }
}
