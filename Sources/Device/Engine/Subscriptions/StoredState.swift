import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A dated state as it was entered, with what says after a merge whether it holds.
struct StoredState {
    let entered: DatedState
    /// When it was entered, of a cancellation and of what ends one: unlike the stamp, an undo sets it back. Empty for
    /// other states, nil for one of an earlier version.
    let decided: String?
    private let stamp: HybridTimestamp

    /// The columns of ``init(_:)``, in its order.
    static let columns = "from_day, state, is_overruled, decided, stamp, stamps"
    /// How many these are.
    static let width = 6

    init(_ row: any SQLRow) throws {
        guard let state = SubscriptionState(rawValue: Int(try row.integer(1))) else {
            throw SQLError.malformed("state")
        }
        entered = DatedState(from: try row.day(0), state: state, isOverruled: try row.integer(2) != 0)
        decided = row.isNull(3) ? nil : try row.text(3)
        stamp = HybridTimestamp(wire: Stamps(base: try row.text(4), wire: try row.text(5))["state"]) ?? .origin
    }

    /// Whether it cancels, or ends a cancellation: see ``EntityTables/cancellations``.
    var isOfCancellation: Bool { entered.state == .cancelled || decided?.isEmpty == false }

    /// When it was cancelled, of a cancellation.
    var cancelledAt: HybridTimestamp { decided.flatMap(HybridTimestamp.init(wire:)) ?? stamp }

    /// Whether a cancellation of that time overrules it: unless it was entered later, to end one.
    func isOverruled(by cancelled: HybridTimestamp) -> Bool {
        decided.map { HybridTimestamp(wire: $0) ?? .origin < cancelled } ?? false
    }

    /// The states of a subscription, at most one a day, in the order of their days.
    ///
    /// Where devices entered them without knowing of each other's, a cancellation overrules what follows it, as it does
    /// on one device: pauses, their ends, and what ended an earlier one. Only a later state that was entered to end a
    /// cancellation ends it. This depends on the rows alone, so all devices come to the same, and what is overruled
    /// here holds again once the cancellation is taken back.
    static func settled(_ stored: [StoredState]) -> [DatedState] {
        let ordered = stored.sorted {
            ($0.entered.from, $0.isOfCancellation ? 0 : 1) < ($1.entered.from, $1.isOfCancellation ? 0 : 1)
        }
        var cancelled: HybridTimestamp?
        var states: [DatedState] = []
        for stored in ordered {
            var state = stored.entered
            if !state.isOverruled {
                if state.state == .cancelled {
                    cancelled = max(cancelled ?? .origin, stored.cancelledAt)
                } else {
                    state.isOverruled = cancelled.map(stored.isOverruled(by:)) ?? false
                    if !state.isOverruled { cancelled = nil }
                }
            }
            if let last = states.last, last.from == state.from {
                guard last.isOverruled || !state.isOverruled else { continue }
                states.removeLast()
            }
            states.append(state)
        }
        return states
    }
}

extension EntityTable {
    /// Whether its rows are dated states.
    var holdsStates: Bool { [EntityTables.states, EntityTables.cancellations].contains { $0.name == name } }
}

extension SubscriptionTable {
    /// See ``StoredState/settled(_:)``.
    func states(of number: Int64) throws -> [DatedState] {
        let sql = "SELECT \(StoredState.columns) FROM entered_states WHERE subscription = ?"
        return StoredState.settled(try session.query(sql, [.integer(number)], StoredState.init))
    }
}

extension UnitOfWork {
    /// Writes the states of a subscription, if they differ from those that hold.
    ///
    /// An edit was made knowing of all that holds: from then on, what a merge overruled is so by itself.
    func saveStates(_ subscription: Subscription, _ number: Int64) throws {
        let (former, states) = (try subscriptions.states(of: number), subscription.states)
        guard former != states else { return }
        // The cancellation that stays is entered anew with those that it replaces: two devices that each keep the one
        // of the other would be left with none.
        let corrects = states.contains { state in
            state.state == .cancelled && state.isOverruled
                && former.contains { $0.from == state.from && $0.state == .cancelled && !$0.isOverruled }
        }
        var kept: [String: Set<CalendarDay>] = [:]
        // When it was cancelled before a state.
        var cancelled: HybridTimestamp?
        for state in states {
            let known = try stored(state, number)
            let (table, decided) =
                state.state == .cancelled
                ? (EntityTables.cancellations, try decision(of: state, known?.stored, isEntered: corrects))
                : try place(of: state, known, after: cancelled)
            try table.save(
                [.integer(number), .day(state.from)],
                [
                    .count(state.state.rawValue), .flag(state.isOverruled), .text(orNull: decided), .flag(false),
                ], in: self)
            kept[table.name, default: []].insert(state.from)
            guard !state.isOverruled else { continue }
            guard state.state == .cancelled else {
                cancelled = nil
                continue
            }
            let entered = decided.flatMap(HybridTimestamp.init(wire:)) ?? known?.stored.cancelledAt
            cancelled = max(cancelled ?? .origin, entered ?? .origin)
        }
        // What a correction overruled stays, also behind a pause of the same day: taken back, it would win against a
        // later correction on another device.
        let overruled = "SELECT from_day FROM cancellations WHERE subscription = ? AND is_overruled = 1"
        let hidden = try session.query(overruled, [.integer(number)]) { try $0.day(0) }
        kept[EntityTables.cancellations.name, default: []].formUnion(hidden)
        for table in [EntityTables.states, EntityTables.cancellations] {
            try remove(from: table, of: number, except: kept[table.name] ?? [])
        }
    }

    /// When a cancellation was entered: now, unless it stays as it was.
    private func decision(of state: DatedState, _ known: StoredState?, isEntered: Bool) throws -> String? {
        if state.isOverruled { return known?.decided }
        if let known, known.entered == state, !isEntered { return known.decided }
        return try stampOfNewRow().wire
    }

    /// The table of a state that does not cancel, and, if it ends a cancellation of that time, when it was entered.
    private func place(
        of state: DatedState, _ known: (stored: StoredState, table: EntityTable)?, after cancelled: HybridTimestamp?
    ) throws -> (EntityTable, decided: String?) {
        if let known, state.isOverruled || known.stored.entered == state && known.stored.decided == nil {
            return (known.table, known.stored.decided)
        }
        guard let cancelled else { return (EntityTables.states, "") }
        // A pause from the day of a resumption changes nothing about what that ended.
        if let known = known?.stored, !known.entered.isOverruled, !known.isOverruled(by: cancelled) {
            return (EntityTables.cancellations, known.decided)
        }
        return (EntityTables.cancellations, max(cancelled, try stampOfNewRow()).wire)
    }

    /// The row of a state, as it was entered, or the one that it replaces where a cancellation ends; nil for a new one.
    private func stored(_ state: DatedState, _ number: Int64) throws -> (stored: StoredState, table: EntityTable)? {
        let (code, cancelled) = (SQLValue.count(state.state.rawValue), SubscriptionState.cancelled.rawValue)
        for (table, condition) in [
            (EntityTables.cancellations, "(state = \(cancelled)) = (? = \(cancelled))"),
            (EntityTables.states, "state = ?"),
        ] {
            let sql = """
                SELECT \(StoredState.columns) FROM \(table.name) \
                WHERE subscription = ? AND from_day = ? AND \(condition) AND is_removed = 0
                """
            if let found = try session.first(sql, [.integer(number), .day(state.from), code], StoredState.init) {
                return (found, table)
            }
        }
        return nil
    }
}
