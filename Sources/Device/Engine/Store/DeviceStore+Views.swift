/// Everything a device can do, by noun. Each view is a value over the store and costs nothing to make.
///
/// ```swift
/// let id = try store.subscriptions.add(draft, at: moment).id
/// try store.ledger.confirm(OccurrenceID(subscriptionID: id, billingOn: day), at: moment)
/// ```
extension DeviceStore {
    /// List, add, edit and delete subscriptions; set prices and states.
    public var subscriptions: Subscriptions { Subscriptions(store: self) }
    /// Values typed into a form and not saved yet.
    public var drafts: Drafts { Drafts(store: self) }
    /// Charges past and coming: confirm, skip, record the amount paid; the Control Score.
    public var ledger: Ledger { Ledger(store: self) }
    /// Reminders of coming charges.
    public var reminders: Reminders { Reminders(store: self) }
    /// Costs, forecast, spending, savings, overlaps and last days to cancel.
    public var totals: Totals { Totals(store: self) }
    /// Exchange rates, and sums in the home currency.
    public var rates: Rates { Rates(store: self) }
    /// Spending limits.
    public var budgets: Budgets { Budgets(store: self) }
    /// People, groups, group expenses and shared subscriptions.
    public var sharing: Sharing { Sharing(store: self) }
    /// Files of receipts.
    public var receipts: Receipts { Receipts(store: self) }
    /// Single payments.
    public var transactions: Transactions { Transactions(store: self) }
    /// Import and export.
    public var portability: Portability { Portability(store: self) }
    /// Back up, restore and merge.
    public var backups: Backups { Backups(store: self) }
    /// The device's copy of the server's catalogue.
    public var catalogue: Catalogue { Catalogue(store: self) }
    /// Names suggested for the catalogue and not yet sent.
    public var suggestions: Suggestions { Suggestions(store: self) }
    /// Consent, the queue of anonymous events, and erasures not yet sent.
    public var analytics: Analytics { Analytics(store: self) }
    /// Sessions of the app and its crash reports.
    public var signals: Signals { Signals(store: self) }
    /// Premium: the entitlement and the server's proof of it.
    public var premium: Premium { Premium(store: self) }
    /// Results of the last synchronisation.
    public var sync: Sync { Sync(store: self) }

    /// See ``DeviceStore/subscriptions``.
    public struct Subscriptions: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/drafts``.
    public struct Drafts: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/ledger``.
    public struct Ledger: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/reminders``.
    public struct Reminders: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/totals``.
    public struct Totals: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/rates``.
    public struct Rates: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/budgets``.
    public struct Budgets: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/sharing``.
    public struct Sharing: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/receipts``.
    public struct Receipts: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/transactions``.
    public struct Transactions: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/portability``.
    public struct Portability: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/backups``.
    public struct Backups: Sendable {
        let store: DeviceStore
        /// Of a backup. A larger one could not be read again.
        package var maximumBytes = WholeFile.maximumBytes
    }
    /// See ``DeviceStore/catalogue``.
    public struct Catalogue: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/suggestions``.
    public struct Suggestions: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/analytics``.
    public struct Analytics: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/signals``.
    public struct Signals: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/premium``.
    public struct Premium: Sendable { let store: DeviceStore }
    /// See ``DeviceStore/sync``.
    public struct Sync: Sendable { let store: DeviceStore }
}
