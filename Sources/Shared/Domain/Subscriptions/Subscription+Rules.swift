extension Subscription {
    /// Trims the name and the link and checks the rules. Throws the first broken rule.
    public func validated() throws(Fault) -> Subscription {
        var valid = self
        valid.name = try FieldRules.name(name, field: "name")
        _ = try FieldRules.positive(price, field: "amount")
        for price in prices { _ = try FieldRules.positive(price.amount, field: "amount") }
        valid.details = try FieldRules.note(details, field: "details")
        valid.notes = try FieldRules.note(notes, field: "notes")
        valid.website = try FieldRules.link(website, field: "website")
        valid.paymentMethod = try FieldRules.line(paymentMethod, field: "payment_method", maximumLength: 200)
        valid.icon = try FieldRules.line(icon, field: "icon", maximumLength: 200)
        if !color.isEmpty { _ = try FieldRules.color(color, field: "color") }
        try requireTrialInOrder()
        try contract.requireValid()
        try reminders.requireValid()
        if bundledIn == id || replacedBy == id {
            throw Fault("bundled_in", .sameItem, "Must be another subscription.")
        }
        return valid
    }

    /// Checked for user input only. After a merge of two devices the end may precede the first charge; both edits are
    /// then kept, and nothing is charged.
    func requireEndAfterFirstBilling() throws(Fault) {
        if let endsOn, endsOn < startedOn, endsOn < schedule.anchor {
            throw Fault("ends_on", .outOfRange, "Must not be before the first billing date.")
        }
    }

    func requireTrialInOrder() throws(Fault) {
        guard let trial, let start = trial.startsOn, start > trial.endsOn else { return }
        throw Fault(
            SubscriptionField.trialStartsOn.rawValue, .outOfRange, "Must not be after the last day of the trial.")
    }
}
