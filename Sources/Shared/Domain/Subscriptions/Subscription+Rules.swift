extension Subscription {
    /// Trims texts and checks the rules. Throws the first broken rule.
    public func validated() throws(Fault) -> Subscription {
        var valid = self
        valid.name = try FieldRules.name(name, field: "name")
        _ = try FieldRules.positive(price, field: "amount")
        for price in prices {
            _ = try FieldRules.positive(Money(minorUnits: price.minorUnits, currency: currency), field: "amount")
        }
        valid.details = try FieldRules.note(details, field: "details")
        valid.notes = try FieldRules.note(notes, field: "notes")
        valid.website = try FieldRules.link(website, field: "website")
        valid.paymentMethod = try FieldRules.line(paymentMethod, field: "payment_method", maximumLength: 200)
        valid.icon = try FieldRules.line(icon, field: "icon", maximumLength: 200)
        try requireColor()
        try contract.requireValid()
        try reminders.requireValid()
        if bundledIn == id || replacedBy == id {
            throw Fault("bundled_in", .sameItem, "Must be another subscription.")
        }
        return valid
    }

    /// Checked for user input only. After a merge of two devices the end may precede the first charge; both edits are then
    /// kept, and nothing is charged.
    func requireEndAfterFirstBilling() throws(Fault) {
        if let endsOn, endsOn < startedOn, endsOn < schedule.anchor {
            throw Fault("ends_on", .outOfRange, "Must not be before the first billing date.")
        }
    }

    private func requireColor() throws(Fault) {
        guard !color.isEmpty else { return }
        let digits = color.utf8.dropFirst()
        guard color.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw Fault("color", .invalidFormat, "Must be a colour such as #9FE870.") }
    }

    /// Sets the price from a day; replaces the price already set for that day.
    public mutating func setPrice(_ minorUnits: Int64, from day: CalendarDay) {
        prices.removeAll { $0.from == day }
        prices.append(DatedPrice(from: day, minorUnits: minorUnits))
        prices.sort { $0.from < $1.from }
    }

    /// Sets the state from a day; replaces the state already set for that day. Resuming also cancels later pauses and
    /// cancellations; other states leave later ones unchanged.
    public mutating func setState(_ state: SubscriptionState, from day: CalendarDay) {
        if state == .active {
            // Overwritten, not deleted: a deleted row would return from another device at the next merge.
            for index in states.indices where states[index].from > day { states[index].state = .active }
        }
        states.removeAll { $0.from == day }
        states.append(DatedState(from: day, state: state))
        states.sort { $0.from < $1.from }
    }

    /// Changes the currency of all prices without conversion. Throws when the new currency has too few decimals.
    public mutating func relabel(_ currency: Currency) throws(Fault) {
        let old = self.currency
        var relabelled: [DatedPrice] = []
        for price in prices {
            let money = try Money(minorUnits: price.minorUnits, currency: old).relabelled(currency)
            relabelled.append(DatedPrice(from: price.from, minorUnits: money.minorUnits))
        }
        price = try price.relabelled(currency)
        prices = relabelled
    }
}
