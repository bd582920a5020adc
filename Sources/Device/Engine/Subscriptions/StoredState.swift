import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A dated state as it was entered, with what says after a merge whether it holds.
struct StoredState {
    private let entered: DatedState
    /// The state before it, as the device that entered it knew; nil for one of an earlier version.
    private let follows: SubscriptionState?
    /// When it was entered.
    private let stamp: HybridTimestamp

    /// The columns of ``init(_:)``, in its order.
    static let columns = "from_day, state, is_overruled, follows, stamp, stamps"
    /// How many these are.
    static let width = 6

    init(_ row: any SQLRow) throws {
        guard let state = SubscriptionState(rawValue: Int(try row.integer(1))) else {
            throw SQLError.malformed("state")
        }
        entered = DatedState(from: try row.day(0), state: state, isOverruled: try row.integer(2) != 0)
        follows = try row.optionalInteger(3).flatMap { SubscriptionState(rawValue: Int($0)) }
        stamp = HybridTimestamp(wire: Stamps(base: try row.text(4), wire: try row.text(5))["state"]) ?? .origin
    }

    /// The states of a subscription, at most one a day, in the order of their days.
    ///
    /// Where devices entered them without knowing of each other's, a cancellation overrules what follows it, as it does
    /// on one device: a pause, the end of a pause, and what is older. Only what was entered later, and where it was
    /// known to be cancelled, ends a cancellation. This depends on the rows alone, so that all devices come to the
    /// same, and what is overruled here holds again once the cancellation is taken back.
    static func settled(_ stored: [StoredState]) -> [DatedState] {
        // On one day, the cancellation is first.
        let ordered = stored.sorted {
            ($0.entered.from, -$0.entered.state.rawValue) < ($1.entered.from, -$1.entered.state.rawValue)
        }
        var cancelled: HybridTimestamp?
        var states: [DatedState] = []
        for stored in ordered {
            var state = stored.entered
            if !state.isOverruled {
                if state.state == .cancelled {
                    cancelled = max(cancelled ?? stored.stamp, stored.stamp)
                } else {
                    if let last = cancelled, let follows = stored.follows {
                        state.isOverruled = follows != .cancelled || stored.stamp < last
                    }
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
    /// Writes the states of a subscription, if they differ from those that hold, each with the one that it follows.
    ///
    /// An edit was made knowing of all that holds: from then on, what a merge overruled is so by itself.
    func saveStates(_ subscription: Subscription, _ number: Int64) throws {
        let states = subscription.states
        guard try subscriptions.states(of: number) != states else { return }
        var before = (state: SubscriptionState.active, isNew: false)
        for state in states {
            let table = state.state == .cancelled ? EntityTables.cancellations : EntityTables.states
            let key: [SQLValue] = [.integer(number), .day(state.from)]
            let known = try table.row(key, in: session)?.values[2]
            let follows = state.isOverruled ? known ?? .null : .count(before.state.rawValue)
            let values: [SQLValue] = [.count(state.state.rawValue), .flag(state.isOverruled), follows, .flag(false)]
            // What ends a cancellation is later than that.
            let isAfterNew = !state.isOverruled && before == (.cancelled, true)
            let isNew = try table.save(key, values, in: self, isEdit: isAfterNew)
            if !state.isOverruled { before = (state.state, isNew) }
        }
        for (table, isCancelled) in [(EntityTables.states, false), (EntityTables.cancellations, true)] {
            let days = states.filter { ($0.state == .cancelled) == isCancelled }.map(\.from)
            try remove(from: table, of: number, except: Set(days))
        }
    }
}
