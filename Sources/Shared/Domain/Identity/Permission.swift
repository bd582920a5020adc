/// A permission of the admin API. The raw value is its name on the wire.
public enum Permission: String, Sendable, Hashable, CaseIterable {
    /// List the catalogue for editors, its changes, imports and likely duplicates, and export it.
    case catalogueRead = "catalogue.read"
    /// Add, change, merge, delete and import catalogue items, and set their logos.
    case catalogueWrite = "catalogue.write"
    /// List suggestions, and approve, reject, reopen or delete them.
    case suggestionsModerate = "suggestions.moderate"
    /// Read the dashboard, funnel, cohorts, ranking, series, crashes and uploaded symbols.
    case metricsRead = "metrics.read"
    /// Export events, with a number in place of each user's hash.
    case eventsExport = "events.export"
    /// Resolve, ignore, reopen and delete crash groups and releases, and upload symbols.
    case crashesWrite = "crashes.write"
    /// Read alert thresholds, rules and deliveries.
    case alertsRead = "alerts.read"
    /// Change alert thresholds and rules, and send a test or a delivery again.
    case alertsWrite = "alerts.write"
    /// Read the audit log, and see who changed a catalogue item.
    case auditRead = "audit.read"
    /// Customers' accounts: list them, and give or take back premium.
    case accountsManage = "accounts.manage"
    /// Create, list and revoke tokens, change custom roles, and use Operations in the console.
    case accessManage = "access.manage"
}
