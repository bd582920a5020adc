/// What each table of the schema is for. The privacy page is made of this and of the schema itself; a test holds both
/// against each other, so that a table nobody has explained cannot be added.
package struct PrivacyRegistry: Sendable {
    /// Whom the rows of a table are about.
    package enum Subject: String, Sendable {
        /// Somebody who signed in with Apple.
        case accounts
        /// Something that a device sent, or that was counted from it.
        case devices
        /// Those who run the server.
        case operators
        /// The service's own data.
        case nobody
    }

    package struct Table: Sendable {
        package let purpose: String
        package let subject: Subject
        package let retention: String
        /// What the columns mean; for tables that concern devices or accounts, every one of them.
        package let fields: [String: String]

        init(_ purpose: String, _ subject: Subject, _ retention: String, _ fields: [String: String] = [:]) {
            self.purpose = purpose
            self.subject = subject
            self.retention = retention
            self.fields = fields
        }
    }

    package let tables: [String: Table]

    /// - Parameters:
    ///   - analyticsDays: how long raw events are kept.
    ///   - tombstoneDays: how long deletions of catalogue items are told.
    ///   - crashDays: how long crash groups and sessions are kept.
    package init(analyticsDays: Int, tombstoneDays: Int, crashDays: Int) {
        tables = Self.analytics(days: analyticsDays).merging(Self.crashes(days: crashDays)) { first, _ in first }
            .merging(Self.accounts) { first, _ in first }
            .merging(Self.suggestions) { first, _ in first }
            .merging(Self.catalogue(tombstoneDays: tombstoneDays)) { first, _ in first }
            .merging(Self.administration) { first, _ in first }
    }

    /// What the server has no room for, whatever a device sends.
    package static let neverStored = [
        "Names, mail addresses or telephone numbers of device users, those behind an account with Apple among them.",
        "What anybody pays, their amounts, billing days, notes or reminders.",
        "Network addresses: neither in the store nor in the log, save that of a refused call to the administration.",
    ]
}

/// Tables of the service itself and of those who run it.
extension PrivacyRegistry {
    private static let forever = "As long as the store exists."

    static func catalogue(tombstoneDays: Int) -> [String: Table] {
        [
            "catalogue_items": Table("The catalogue.", .nobody, "Until an editor deletes the item."),
            "catalogue_tombstones": Table(
                "Ids of deleted and merged items.", .nobody,
                "\(tombstoneDays) days for deletions, then purged; merges as long as the store exists."),
            "catalogue_counters": Table("The revision of the catalogue.", .nobody, forever),
            "catalogue_logos": Table("Which logos there are.", .nobody, "30 days after no item shows the logo."),
            "catalogue_logo_contents": Table(
                "Pictures of logos, where they are not files in a folder.", .nobody,
                "30 days after no item shows the logo."),
        ]
    }

    static let administration: [String: Table] = [
        "access_tokens": Table(
            "Tokens that open the administration, by the hash of their secret.", .operators,
            "As long as the store exists: the audit log names them."),
        "access_roles": Table("Roles of the operator's own.", .operators, "Until they are taken away."),
        "audit_entries": Table(
            "Who changed what in the administration, from what to what.", .operators,
            "As long as the store exists; it cannot be altered."),
        "audit_heads": Table("Where the chain of the audit log ends.", .nobody, forever),
        "idempotent_answers": Table(
            "Answers to requests with an Idempotency-Key, sealed so that only their sender can open them.", .operators,
            "24 hours, then purged."),
        "alert_thresholds": Table("Numbers of users that are announced.", .nobody, forever),
        "alert_threshold_lists": Table("The revision of that list.", .nobody, forever),
        "alert_deliveries": Table("Announcements and what became of them.", .operators, forever),
        "storage_watch": Table("How full the storage was when that was last announced.", .nobody, forever),
        "event_discards": Table(
            "Which forged events an operator discarded, how many, and who did it.", .operators, forever),
        "alert_disabled_channels": Table("Alert channels that refused for good.", .operators, forever),
        "job_leases": Table("Which server does recurring work, and when it is due.", .nobody, forever),
        "retention_runs": Table("When each table was last purged.", .nobody, forever),
        "store_metadata": Table("What tells this store from others.", .nobody, forever),
        "health_probe": Table("The row that readiness writes.", .nobody, forever),
        "schema_migrations": Table("Which migrations were applied.", .nobody, forever),
    ]
}
