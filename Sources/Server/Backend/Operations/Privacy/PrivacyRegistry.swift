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
