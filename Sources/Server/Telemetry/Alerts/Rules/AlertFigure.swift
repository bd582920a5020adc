import EventLog
package import SubGuardDomain

/// A figure that a rule can watch. The raw value is its name on the wire and in the database.
package enum AlertFigure: String, Sendable, CaseIterable {
    case users
    case activeUsers = "active_users"
    case downloads
    case conversions
    case crashFreeSessions = "crash_free_sessions"
    case events
    case failedDeliveries = "failed_deliveries"
    case storagePercent = "storage_percent"
    case eventSinkLag = "event_sink_lag_seconds"

    /// What the figure counts, for people who read it.
    package var definition: String {
        switch self {
        case .users: "Users whose signup lies in the window."
        case .activeUsers: "Distinct users with any event in the window, which is 7d or 30d."
        case .downloads: "Users with app_downloaded whose signup lies in the window."
        case .conversions: "Users whose first premium_conversion lies in the window."
        case .crashFreeSessions:
            "Sessions without a crash in percent of all that started in the window, in whole hours."
        case .events: "Events accepted in the window, at most 6h, whenever they happened."
        case .failedDeliveries: "Deliveries of alerts that were given up in the window."
        case .storagePercent:
            "The part of the ceiling in use in percent, of the database or the disk, whichever is fuller; no window."
        case .eventSinkLag:
            "Seconds since the oldest event that is not in the event sink was received; no window, and no figure "
                + "without a sink."
        }
    }

    /// In sentences.
    var noun: String {
        switch self {
        case .users: "new users"
        case .activeUsers: "active users"
        case .downloads: "downloads"
        case .conversions: "premium conversions"
        case .crashFreeSessions: "crash-free sessions"
        case .events: "accepted events"
        case .failedDeliveries: "failed deliveries"
        case .storagePercent: "storage in use"
        case .eventSinkLag: "seconds that the event sink is behind"
        }
    }

    package var isPercentage: Bool { self == .crashFreeSessions || self == .storagePercent }

    /// Whether it is folded from the event log, and therefore exact only when everything is folded.
    var isFolded: Bool {
        switch self {
        case .users, .activeUsers, .downloads, .conversions: true
        case .crashFreeSessions, .events, .failedDeliveries, .storagePercent, .eventSinkLag: false
        }
    }

    /// The longest window; nil for a figure without one. Two windows of a change must fit into what is stored to the
    /// minute, which is 40 days, or the hours before blocks of events are joined.
    func longestWindowInHours(for comparison: AlertComparison) -> Int64? {
        switch self {
        case .users, .downloads, .conversions: comparison.isChange ? 15 * 24 : 30 * 24
        case .activeUsers: comparison.isChange ? 7 * 24 : 30 * 24
        case .crashFreeSessions, .failedDeliveries: 30 * 24
        case .events:
            comparison.isChange
                ? EventLogTuning.secondsBeforeJoining / 7200 : EventLogTuning.secondsBeforeJoining / 3600
        case .storagePercent, .eventSinkLag: nil
        }
    }

    /// Whether two windows of it can be compared.
    var isCompared: Bool { !isPercentage && self != .failedDeliveries && self != .eventSinkLag }

    /// What `minimum_sample` bounds.
    enum Sample: Sendable {
        case sessions
        /// The figure in the window before.
        case windowBefore
        /// All users.
        case users
    }

    /// Nil for a figure without a sample.
    func sample(of comparison: AlertComparison) -> Sample? {
        switch self {
        case .crashFreeSessions: .sessions
        case .users, .activeUsers, .downloads, .conversions, .events: comparison.isChange ? .windowBefore : .users
        case .failedDeliveries, .storagePercent, .eventSinkLag: nil
        }
    }
}

extension AlertRuleDraft {
    /// A rule that cannot be measured, by the member to change.
    package struct RuleFault: Sendable, Hashable {
        package let field: String
        package let code: FaultCode
        package let sentence: Sentence
    }

    /// What contradicts itself in the definition; empty if it can be measured.
    package var faults: [RuleFault] {
        var faults: [RuleFault] = []
        func note(_ field: String, _ code: FaultCode, _ sentence: Sentence) {
            faults.append(RuleFault(field: field, code: code, sentence: sentence))
        }
        if comparison.isChange, !figure.isCompared {
            note("comparison", .unknownValue, "Must be below or above for \(figure.rawValue).")
            return faults
        }
        if figure.isPercentage || comparison == .fallsBy, value.thousandths > 100_000 {
            note("value", .outOfRange, "Must be at most 100: it is a percentage.")
        }
        // No figure is below 0 and no percentage above 100: such a rule would never alert, without a word.
        if comparison.isChange || comparison == .below, value.thousandths == 0 {
            note("value", .outOfRange, "Must be above 0 for \(comparison.rawValue).")
        }
        if figure.isPercentage, comparison == .above, value.thousandths == 100_000 {
            note("value", .outOfRange, "Must be under 100 for above: it is a percentage.")
        }
        let longest = figure.longestWindowInHours(for: comparison)
        switch (window, longest) {
        case (nil, nil): break
        case (nil, .some): note("window", .required, "Must be given for \(figure.rawValue).")
        case (.some, nil):
            note("window", .unknownField, "Must not be given for \(figure.rawValue), which has no window.")
        case (let window?, let longest?):
            if figure == .activeUsers, window.hours != 168, window.hours != 720 || comparison.isChange {
                note(
                    "window", .outOfRange,
                    comparison.isChange
                        ? "Must be 7d for \(figure.rawValue)." : "Must be 7d or 30d for \(figure.rawValue).")
            } else if window.hours > longest {
                note("window", .outOfRange, "Must be at most \(longest)h for this figure and comparison.")
            }
        }
        if minimumSample > 0, figure.sample(of: comparison) == nil {
            note("minimum_sample", .outOfRange, "Must be 0 for \(figure.rawValue), which has no sample.")
        }
        return faults
    }
}
