// Prices and states hold from their day until the next one.

extension Subscription {
    /// Sets the price from a day until the next dated price; replaces the price already set for that day.
    ///
    /// The first price holds from the day of entry, so an earlier price ends there.
    public mutating func setPrice(_ amount: Money, from day: CalendarDay) {
        if day < startedOn, !prices.contains(where: { $0.from <= startedOn }) { placePrice(price, from: startedOn) }
        placePrice(amount, from: day)
    }

    /// Sets the price from a day, in the currency of that day.
    public mutating func setPrice(_ minorUnits: Int64, from day: CalendarDay) {
        setPrice(Money(minorUnits: minorUnits, currency: price(on: day).currency), from: day)
    }

    /// Writes one dated price and changes no other, as when all of them are read from a file.
    public mutating func placePrice(_ amount: Money, from day: CalendarDay) {
        prices.removeAll { $0.from == day }
        prices.append(DatedPrice(from: day, amount: amount))
        prices.sort { $0.from < $1.from }
    }

    /// Sets the state from a day; replaces the state already set for that day.
    ///
    /// - Cancelling overrules later pauses and resumptions. On a cancelled subscription, or one whose cancellation is planned,
    ///   it corrects the date: what the former date overruled holds again up to the new one.
    /// - Resuming ends a pause, and a cancellation that is in force or, when nothing is, planned. What was before stays.
    public mutating func setState(_ state: SubscriptionState, from day: CalendarDay) {
        switch state {
        case .cancelled:
            takeBackCancellation()
            for index in states.indices where states[index].from > day && states[index].state != .cancelled {
                states[index].isOverruled = true
            }
        case .active:
            let before = states.last { $0.from <= day && !$0.isOverruled }?.state ?? .active
            // Overwritten, not deleted: a deleted row would return from another device at the next merge.
            for index in states.indices where states[index].from > day && !states[index].isOverruled {
                // The end of a pause is no reason to keep what was cancelled for later.
                if before == .paused, states[index].state == .cancelled { continue }
                states[index].state = .active
            }
        case .paused: break
        }
        placeState(state, from: day)
    }

    /// Writes one dated state and changes no other, as when all of them are read from a file.
    public mutating func placeState(_ state: SubscriptionState, from day: CalendarDay) {
        states.removeAll { $0.from == day }
        states.append(DatedState(from: day, state: state))
        states.sort { $0.from < $1.from }
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
