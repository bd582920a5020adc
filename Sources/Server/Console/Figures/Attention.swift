package import Operations
package import SubGuardDomain
package import Telemetry

/// Something that an operator should look at.
package enum Attention: Sendable, Hashable {
    /// How many alert rules fire, muted ones too.
    case firingRules(Int64)
    /// Alerts whose deliveries were given up.
    case undeliveredAlerts(Int64)
    /// No channel is configured that would send an alert.
    case noChannel
    /// Not ``StorageLevel/ok``.
    case storage(StorageLevel)
    /// Parts of the server that are not ready.
    case failingChecks(Int64)
    case backup(BackupConcern)
    /// For how many minutes events have not reached the event sink.
    case eventSinkLag(Int64)
    /// Background jobs whose last run failed.
    case failedJobs(Int64)
    case suggestions(Int64)
    /// Open crash groups.
    case crashes(Int64)

    package var section: ConsoleSection {
        switch self {
        case .firingRules, .undeliveredAlerts, .noChannel: .alerts
        case .storage, .failingChecks, .backup, .eventSinkLag, .failedJobs: .operations
        case .suggestions: .suggestions
        case .crashes: .crashes
        }
    }

    /// Whether the navigation has its number beside the section.
    package var isCounted: Bool {
        switch self {
        case .firingRules, .suggestions, .crashes: true
        default: false
        }
    }

    func text(_ words: ConsoleWords) -> String {
        switch self {
        case .firingRules(let count): words.count(count, "%1 alert rule fires|%1 alert rules fire")
        case .undeliveredAlerts(let count):
            words.count(count, "%1 alert could not be delivered|%1 alerts could not be delivered")
        case .noChannel: words["No channel is configured, so no alert is sent"]
        case .storage(let level): words[level == .full ? "Storage full" : "Storage nearly full"]
        case .failingChecks(let count): words.count(count, "%1 check of the server fails|%1 checks of the server fail")
        case .backup(.none): words["There is no backup"]
        case .backup(.old(let instant)): words.text("The newest backup is of %1", words.day(instant.day))
        case .backup(.unproven): words["No backup was restored for verification in the last 30 days"]
        case .backup(.failed): words["The newest verification of a backup failed"]
        case .eventSinkLag(let minutes):
            words.count(minutes, "The event sink is %1 minute behind|The event sink is %1 minutes behind")
        case .failedJobs(let count): words.count(count, "%1 background job failed|%1 background jobs failed")
        case .suggestions(let count): words.count(count, "%1 pending suggestion|%1 pending suggestions")
        case .crashes(let count): words.count(count, "%1 open crash group|%1 open crash groups")
        }
    }
}

/// What is wrong with the backups.
package enum BackupConcern: Sendable, Hashable {
    case none
    /// The newest one is older than two intervals, or than a week without automatic ones.
    case old(UTCInstant)
    case failed
    /// None was restored for verification within ``provenDays``.
    case unproven

    private static let provenDays = 30

    /// Nil if the backups are as they should be.
    ///
    /// - Parameter hours: between automatic backups; nil if there are none.
    package init?(_ status: BackupStatus, everyHours hours: Int?, at now: UTCInstant) {
        guard let last = status.lastBackupAt else {
            self = .none
            return
        }
        let longest = Int64(hours.map { 2 * $0 } ?? 7 * 24)
        if last.adding(seconds: longest * 3600) < now {
            self = .old(last)
        } else if status.lastDrillSucceeded == false {
            self = .failed
        } else if status.lastProvenAt.map({ $0.adding(days: Self.provenDays) < now }) ?? true {
            self = .unproven
        } else {
            return nil
        }
    }
}
