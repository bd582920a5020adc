package import Foundation
package import SubGuardDomain

/// What an operator wants to be told: a figure that crosses a value.
package struct AlertRuleDraft: Sendable, Hashable {
    /// Unique among the rules.
    package let name: String
    package let figure: AlertFigure
    package let comparison: AlertComparison
    package let value: AlertValue
    /// Nil for a figure that is measured at a moment.
    package let window: AlertWindow?
    /// With a smaller sample the state stays as it is. What the sample is depends on the figure; see
    /// ``AlertFigure/sample(of:)``.
    package let minimumSample: Int64
    /// No message is sent before this moment. Nil, or a moment that has passed, mutes nothing.
    package let mutedUntil: UTCInstant?

    package init(
        name: String, figure: AlertFigure, comparison: AlertComparison, value: AlertValue, window: AlertWindow?,
        minimumSample: Int64 = 0, mutedUntil: UTCInstant? = nil
    ) {
        self.name = name
        self.figure = figure
        self.comparison = comparison
        self.value = value
        self.window = window
        self.minimumSample = minimumSample
        self.mutedUntil = mutedUntil
    }

    /// Names are the same if their bytes are, as in the database; for Swift "é" is the same in both its forms.
    package var nameBytes: [UInt8] { Array(name.utf8) }

    /// Whether both measure the same, so that the state of one is that of the other.
    func measuresLike(_ other: AlertRuleDraft) -> Bool {
        figure == other.figure && comparison == other.comparison && value == other.value && window == other.window
            && minimumSample == other.minimumSample
    }

    func isMuted(at now: UTCInstant) -> Bool { mutedUntil.map { now < $0 } ?? false }
}

/// How a figure is compared with the value of a rule.
package enum AlertComparison: String, Sendable, CaseIterable {
    case below
    case above
    /// Lower than in the window before, by the value in percent or more.
    case fallsBy = "falls_by"
    /// Higher than in the window before, by the value in percent or more.
    case risesBy = "rises_by"

    /// Whether it compares two windows.
    package var isChange: Bool { self == .fallsBy || self == .risesBy }
}

/// A rule with what its last measurement found.
package struct AlertRule: Sendable, Hashable {
    package let id: UUID
    package let draft: AlertRuleDraft
    /// Incremented by every change of the definition, not by a measurement.
    package let revision: Int64
    package let current: Current
    /// The state of the latest message.
    let announced: State

    /// The raw value is its name on the wire and in the database.
    package enum State: String, Sendable, CaseIterable {
        /// Not measured since it was made or changed.
        case pending
        case ok
        case firing
    }

    /// The result of the last measurement.
    package struct Current: Sendable, Hashable {
        package var state: State
        /// When the state changed.
        package var since: UTCInstant?
        /// Nil before the first measurement, and for a percentage of nothing.
        package var value: AlertValue?
        /// Nil before the first measurement, and for figures without a sample.
        package var sample: Int64?
        package var evaluatedAt: UTCInstant?

        static let pending = Current(state: .pending)
    }
}

/// The rules at one revision of the list.
package struct AlertRuleList: Sendable {
    /// Incremented by every change of a rule, not by a measurement.
    package let revision: Int64
    /// Sorted by name, bytewise.
    package let rules: [AlertRule]

    package static let maximumCount = 100
}
