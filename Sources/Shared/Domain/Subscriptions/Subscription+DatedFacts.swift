// Prices and states hold from their day until the next one.

extension Subscription {
    /// Sets the price from a day until the next dated price; replaces the price already set for that day.
    ///
    /// The first price holds from the day of entry, so an earlier price ends there.
    ///
    /// A dated price that equals the one before it says nothing of its own, so it takes over the new amount.
    public mutating func setPrice(_ amount: Money, from day: CalendarDay) {
        if day < startedOn, !prices.contains(where: { $0.from <= startedOn }) { placePrice(price, from: startedOn) }
        if let first = priceHistory.first?.from, day >= first {
            let former = price(on: day)
            for index in prices.indices where prices[index].from > day {
                guard prices[index].amount == former else { break }
                prices[index].amount = amount
            }
        }
        placePrice(amount, from: day)
    }

    /// Takes back the price that begins on a day: the one before it holds on. Throws a fault of `remove` when none
    /// begins then, and for the first price, which can only be corrected.
    public mutating func removePrice(from day: CalendarDay) throws(Fault) {
        let history = priceHistory
        guard let place = history.firstIndex(where: { $0.from == day }) else {
            throw Fault("remove", .notFound, "No price begins on that day.")
        }
        guard place > 0 else {
            throw Fault("remove", .outOfRange, "The first price can be corrected, not removed.")
        }
        prices.removeAll { $0.from == day }
    }

    /// Sets the price from a day, in the currency of that day.
    public mutating func setPrice(_ minorUnits: Int64, from day: CalendarDay) {
        setPrice(Money(minorUnits: minorUnits, currency: price(on: day).currency), from: day)
    }

    /// Writes one dated price and changes no other.
    public mutating func placePrice(_ amount: Money, from day: CalendarDay) {
        place([DatedPrice(from: day, amount: amount)])
    }

    /// Writes dated prices and changes no other, as when all of them are read from a file. The last of a day holds.
    public mutating func place(_ new: [DatedPrice]) {
        let byDay = Dictionary(new.map { ($0.from, $0) }) { $1 }
        prices = (prices.filter { byDay[$0.from] == nil } + byDay.values).sorted { $0.from < $1.from }
    }

    /// Sets the state from a day; replaces the state already set for that day.
    ///
    /// - Cancelling overrules later pauses and resumptions. On a cancelled subscription, or one whose cancellation is
    ///   planned, it corrects the date: what the former date overruled holds again up to the new one.
    /// - A pause lasts until it is resumed or cancelled. Others that were planned for later go.
    /// - Resuming ends a pause, and a cancellation that is in force or, when nothing is, planned. What was before
    ///   stays; what says nothing after it goes.
    public mutating func setState(_ state: SubscriptionState, from day: CalendarDay) {
        switch state {
        case .cancelled:
            takeBackCancellation()
            for index in states.indices where states[index].from > day && states[index].state != .cancelled {
                states[index].isOverruled = true
            }
            placeState(state, from: day)
        case .active:
            let before = self.state(on: day)
            states.removeAll { later in
                // The end of a pause is no reason to keep what was cancelled for later.
                let isWanted = before == .paused && later.state == .cancelled
                return later.from > day && !later.isOverruled && later.state != .active && !isWanted
            }
            states.removeAll { $0.from == day && !$0.isOverruled }
            if self.state(on: day) != .active { placeState(.active, from: day) }
            removeIdleResumptions()
        case .paused:
            // It lasts until it is resumed: the ends of others, and other pauses, say nothing any more.
            let cancelled = states.first { $0.from > day && !$0.isOverruled && $0.state == .cancelled }?.from
            states.removeAll { later in
                later.from > day && !later.isOverruled && cancelled.map { later.from < $0 } ?? true
            }
            placeState(state, from: day)
        }
    }

    /// The last state on or before a day.
    package func state(on day: CalendarDay) -> SubscriptionState {
        states[..<states.firstIndex(after: day)].last { !$0.isOverruled }?.state ?? .active
    }

    /// Whether a state begins on a day, such as one that was entered then without a date.
    package func hasState(from day: CalendarDay) -> Bool { states.contains { $0.from == day } }

    /// Removes resumptions of what is active already. They would end a pause that is entered later.
    private mutating func removeIdleResumptions() {
        var present = SubscriptionState.active
        states.removeAll { state in
            guard !state.isOverruled else { return false }
            defer { present = state.state }
            return state.state == .active && present == .active
        }
    }

    /// Pauses from a day, through a last day or until it is resumed. On a paused one it corrects the end.
    ///
    /// A later cancellation stays, and so does another pause that begins before the end of this one. Throws a fault of
    /// `until` for a last day before the first, and of `from` for a day on which it is cancelled.
    public mutating func pause(from day: CalendarDay, through last: CalendarDay?) throws(Fault) {
        guard state(on: day) != .cancelled else {
            throw Fault("from", .outOfRange, "It is cancelled on that day. Resume it first.")
        }
        guard let last else { return setState(.paused, from: day) }
        guard last >= day else {
            throw Fault("until", .outOfRange, "Must not be before the first day of the pause.")
        }
        let end = last.adding(days: 1)
        let history = stateHistory
        let isCancelled = history.last { $0.from <= end }?.state == .cancelled
        let pausesAgain = history.contains { $0.from > day && $0.from <= end && $0.state == .paused }
        states.removeAll { $0.from > day && $0.from < end && $0.state == .active && !$0.isOverruled }
        placeState(.paused, from: day)
        guard !isCancelled, !pausesAgain else { return }
        placeState(.active, from: end)
        // What an earlier correction left of this pause ends with it.
        let rest = states.drop { $0.from <= end }.prefix { state in
            state.isOverruled || state.state == .paused && !history.contains { $0.from == state.from }
        }.filter { !$0.isOverruled }
        states.removeAll(where: rest.contains)
        removeIdleResumptions()
    }

    /// Takes back the pause that begins on a day. Throws a fault of `remove` when none begins then.
    public mutating func removePause(from day: CalendarDay) throws(Fault) {
        guard stateHistory.contains(where: { $0.from == day && $0.state == .paused }) else {
            throw Fault("remove", .notFound, "No pause begins on that day.")
        }
        let pause = states.filter { $0.from >= day && !$0.isOverruled }.prefix { $0.state == .paused }
        states.removeAll(where: pause.contains)
        // It had taken the place of a resumption.
        if state(on: day) == .cancelled { placeState(.active, from: day) }
        removeIdleResumptions()
    }

    /// The states that differ from the one before, beginning with the first that is not active.
    public var stateHistory: [DatedState] {
        var history: [DatedState] = []
        for state in states where !state.isOverruled && state.state != history.last?.state ?? .active {
            history.append(state)
        }
        return history
    }

    /// Writes one dated state and changes no other.
    public mutating func placeState(_ state: SubscriptionState, from day: CalendarDay) {
        place([DatedState(from: day, state: state)])
    }

    /// Writes dated states and changes no other, as when all of them are read from a file. The last of a day holds.
    public mutating func place(_ new: [DatedState]) {
        let byDay = Dictionary(new.map { ($0.from, $0) }) { $1 }
        states = (states.filter { byDay[$0.from] == nil } + byDay.values).sorted { $0.from < $1.from }
    }

    /// The subscription as it would continue without its cancellation, whether that is in force or planned.
    public var uncancelled: Subscription {
        var subscription = self
        subscription.takeBackCancellation()
        return subscription
    }

    /// Overrules the last cancellation and restores the states that it overruled. Does nothing when it was ended.
    private mutating func takeBackCancellation() {
        let cancelled = states.filter { !$0.isOverruled }.reversed().prefix { $0.state == .cancelled }
        guard let first = cancelled.last?.from else { return }
        for index in states.indices where states[index].from >= first {
            states[index].isOverruled = states[index].state == .cancelled
        }
    }

    /// Changes the currency without conversion; throws when the new one has too few decimals.
    ///
    /// Charges of the past keep their currency: once something was charged, the new one holds from `today`.
    ///
    /// - Parameter amount: the new price; nil to keep the numbers, also those of later prices.
    mutating func setCurrency(
        _ currency: Currency, amount: Money?, today: CalendarDay, wasCharged: Bool
    ) throws(Fault) {
        let current = if let amount { amount } else { try price(on: today).relabelled(currency) }
        var later: [DatedPrice] = []
        if amount == nil {
            for price in prices where price.from > today {
                later.append(DatedPrice(from: price.from, amount: try price.amount.relabelled(currency)))
            }
        }
        prices.removeAll { $0.from >= today || !wasCharged }
        if wasCharged { placePrice(current, from: today) } else { price = current }
        prices += later
    }
}
