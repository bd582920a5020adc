import SQLDatabase
import SubGuardDomain

/// The funnel: how many of the users who signed up on some days reached each stage.
package struct Funnel: Sendable, Hashable {
    package var standing: FigureStanding
    package let range: DayRange
    package let stages: [Stage]

    package struct Stage: Sendable, Hashable {
        package let name: Name
        /// Users, each once.
        package let count: Int64
        /// One decimal; nil if the previous count is zero, and for the first stage.
        package let percentOfPrevious: FigureNumber?
        /// One decimal; nil if the first count is zero.
        package let percentOfFirst: FigureNumber?

        /// The stages in their order. The raw value is its name on the wire.
        package enum Name: String, Sendable, CaseIterable {
            case downloads
            case firstSubscription = "first_subscription"
            case fiveSubscriptions = "five_subscriptions"
            case retentionD7 = "retention_d7"
            case retentionD30 = "retention_d30"

            fileprivate var figure: Figure {
                switch self {
                case .downloads: .downloads
                case .firstSubscription: .firstSubscriptions
                case .fiveSubscriptions: .fiveSubscriptions
                case .retentionD7: .retentionD7
                case .retentionD30: .retentionD30
                }
            }
        }
    }

    package static let definition =
        "Users, each once, whose signup lies on the days from through to (UTC; all when absent) and who bear the stage's "
        + "mark, whenever it came: app_downloaded, first_subscription_added, five_subscriptions_reached, retention_d7, "
        + "retention_d30. The signup is the time of app_downloaded, else of the earliest event. Percentages have one "
        + "decimal and are null over zero."

    init(standing: FigureStanding, range: DayRange, counts: FigureCounts) {
        self.standing = standing
        self.range = range
        stages = Self.stages { counts[$0.figure] }
    }

    /// All stages with their shares.
    package static func stages(_ count: (Stage.Name) -> Int64) -> [Stage] {
        let counts = Stage.Name.allCases.map(count)
        return zip(Stage.Name.allCases, counts).enumerated().map { index, stage in
            Stage(
                name: stage.0, count: stage.1,
                percentOfPrevious: index == 0 ? nil : FigureNumber.percent(stage.1, of: counts[index - 1]),
                percentOfFirst: FigureNumber.percent(stage.1, of: counts[0]))
        }
    }
}

extension InsightStore {
    package func funnel(_ range: DayRange = DayRange()) throws -> Funnel {
        let (first, last) = range.numbers
        return try read { session, standing in
            let counts = try FigureReader(session: session).sums(.days, from: first, through: last)
            return Funnel(standing: standing, range: range, counts: counts)
        }
    }
}
