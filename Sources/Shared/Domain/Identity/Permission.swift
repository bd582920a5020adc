/// A permission of the admin API. The raw value is its name on the wire.
public enum Permission: String, Sendable, Hashable, CaseIterable {
    case catalogueRead = "catalogue.read"
    case catalogueWrite = "catalogue.write"
    case suggestionsModerate = "suggestions.moderate"
    case metricsRead = "metrics.read"
    case eventsExport = "events.export"
    case crashesWrite = "crashes.write"
    case alertsRead = "alerts.read"
    case alertsWrite = "alerts.write"
    case auditRead = "audit.read"
    /// Customers' accounts: list them, and give or take back premium.
    case accountsManage = "accounts.manage"
    case accessManage = "access.manage"
}
