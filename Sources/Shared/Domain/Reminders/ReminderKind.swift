/// What a reminder is about. The raw value is the wire form.
public enum ReminderKind: String, Sendable, Hashable, CaseIterable {
    /// A coming charge.
    case charge
    /// The last day of a trial.
    case trialEnd = "trial_end"
    /// The last day to cancel; see ``Subscription/cancelDeadline(today:catalogueNotice:)``.
    case cancelBy = "cancel_by"
    /// A price that begins on a coming day.
    case priceChange = "price_change"
    /// A budget of which 80 or 100 % are spent.
    case budget
}
