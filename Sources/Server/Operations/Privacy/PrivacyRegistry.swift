import Catalogue
import ServerAccess
package import SubGuardDomain

/// The purpose of each table. The privacy page is made from this list and the schema; a test compares both, so that no
/// table can be added without a description.
package struct PrivacyRegistry: Sendable {
    /// The subject of a table's rows.
    package enum Subject: String, Sendable, CaseIterable {
        /// People who signed in with Apple.
        case accounts
        /// Data sent by devices or counted from it.
        case devices
        /// Operators of the server.
        case operators
        /// The service's own data.
        case noPerson = "nobody"
    }

    package struct Table: Sendable {
        package let purpose: Sentence
        package let subject: Subject
        package let retention: Sentence
        /// The meaning of the columns; complete for tables about devices or accounts.
        package let fields: [String: String]
        /// Counts what the rows hold, if they hold more than one record each.
        let countingRecords: String?

        init(
            _ purpose: Sentence, _ subject: Subject, _ retention: Sentence, _ fields: [String: String] = [:],
            countingRecords: String? = nil
        ) {
            self.countingRecords = countingRecords
            self.purpose = purpose
            self.subject = subject
            self.retention = retention
            self.fields = fields
        }
    }

    package let tables: [String: Table]

    /// - Parameters:
    /// - analyticsDays: retention of raw events.
    /// - eventIDDays: how long the ids of events are remembered.
    /// - crashDays: retention of crash groups and sessions.
    package init(analyticsDays: Int, eventIDDays: Int, crashDays: Int) {
        tables = Self.analytics(days: analyticsDays, eventIDDays: eventIDDays)
            .merging(Self.crashes(days: crashDays)) { first, _ in first }
            .merging(Self.accounts) { first, _ in first }
            .merging(Self.suggestions) { first, _ in first }
            .merging(Self.catalogue) { first, _ in first }
            .merging(Self.administration) { first, _ in first }
    }

    /// Data that the server never stores, whatever a device sends.
    package static let neverStored: [Sentence] = [
        "Names, mail addresses or telephone numbers of device users, including those who signed in with Apple.",
        "Subscriptions of device users: amounts, billing days, notes or reminders.",
        "Network addresses, neither in the store nor in the log, except that of a rejected admin request.",
    ]
}

/// Tables of the service itself and of its operators.
extension PrivacyRegistry {
    private static let forever: Sentence = "As long as the store exists."

    static let catalogue: [String: Table] = [
        "catalogue_items": Table("The catalogue.", .noPerson, "Until an editor deletes the item."),
        "catalogue_tombstones": Table(
            "Ids of deleted and merged items.", .noPerson,
            "\(CatalogueStore.tombstoneDays) days for deletions, then purged; merges as long as the store exists."),
        "catalogue_distinct_pairs": Table(
            "Pairs of items that are no duplicates.", .noPerson, "Until an editor deletes or merges one of them."),
        "catalogue_counters": Table("The revision of the catalogue.", .noPerson, forever),
        "catalogue_logos": Table(
            "Names of the logos.", .noPerson, "30 days after the last item stopped using the logo."),
        "catalogue_logo_contents": Table(
            "Contents of the logos, if they are not files in a folder.", .noPerson,
            "30 days after the last item stopped using the logo."),
    ]

    static let administration: [String: Table] = [
        "access_tokens": Table(
            "Admin tokens, by the hash of their secret.", .operators,
            "As long as the store exists: the audit log names them."),
        "console_sessions": Table(
            "Sessions of the console, by the hash of their secret, with the name of the browser.", .operators,
            "Until the operator signs out, at most \(ConsoleSession.longestDays) days."),
        "console_notices": Table(
            "Decisions of forms of the console, to undo them.", .operators,
            "\(ConsoleNoticeStore.minutes) minutes, then purged; at most until the session ends."),
        "console_links": Table(
            "One-time links to the console, by the hash of their code.", .operators,
            "Until they are used, at most \(ConsoleSession.linkMinutes) minutes, then purged."),
        "console_openid_pending": Table(
            "Sign-ins to the console that have not come back from the identity provider, by hashes.", .operators,
            "Until they come back, at most \(OpenIDAttempt.minutes) minutes, then purged."),
        "console_openid_people": Table(
            "Which admin token belongs to whom at the identity provider, by a hash; the token's name has their mail.",
            .operators, "As long as the store exists: the audit log names the tokens."),
        "console_passkeys": Table(
            "Passkeys for the console: name, host, public key, last use.", .operators,
            "Until they are removed or their token is revoked."),
        "console_challenges": Table(
            "Challenges for passkeys, by their hash.", .operators,
            "Until they are answered, at most \(Passkey.challengeMinutes) minutes, then purged."),
        "access_roles": Table("Custom roles.", .operators, "Until they are deleted."),
        "audit_entries": Table(
            """
            The audit log: author, target, old and new state of every change. Of data that devices sent: the name of a \
            suggestion only once it is a name or alias in the catalogue, and the type and place of a crash that was \
            decided on, but not its message.
            """, .operators,
            "As long as the store exists; rows cannot be changed."),
        "audit_heads": Table("End of the hash chain of the audit log.", .noPerson, forever),
        "idempotent_answers": Table(
            "Responses to requests with an Idempotency-Key, encrypted so that only their sender can read them.",
            .operators,
            "24 hours, then purged."),
        "alert_thresholds": Table("Numbers of users that trigger an alert.", .noPerson, forever),
        "alert_threshold_lists": Table("The revision of that list.", .noPerson, forever),
        "alert_rules": Table("Alert rules and their latest measurement.", .operators, forever),
        "alert_rule_lists": Table("The revision of that list.", .noPerson, forever),
        "alert_digests": Table("When the last weekly digest was sent.", .noPerson, forever),
        "alert_deliveries": Table("Alerts and the state of their delivery.", .operators, forever),
        "storage_watch": Table("The storage level of the latest alert.", .noPerson, forever),
        "event_discards": Table(
            "Discards of forged events: selection, number and operator.", .operators, forever),
        "figure_rebuilds": Table(
            "The rebuild of the figures under way: its progress and operator.", .operators, "Until it ends."),
        "alert_disabled_targets": Table(
            "Receivers of alerts that are disabled because they rejected alerts permanently.", .operators, forever),
        "alert_disabled_channels": Table(
            "Disabled channels, as noted by a build that had one receiver of each.", .operators, forever),
        "reference_rates": Table("Exchange rates, fetched from a public source.", .noPerson, forever),
        "job_leases": Table("Leases and due times of recurring jobs.", .noPerson, forever),
        "retention_runs": Table("When each table was last purged.", .noPerson, forever),
        "store_metadata": Table("The identity of this store.", .noPerson, forever),
        "health_probe": Table("The row that the readiness check writes.", .noPerson, forever),
        "schema_migrations": Table("Applied migrations.", .noPerson, forever),
    ]
}
