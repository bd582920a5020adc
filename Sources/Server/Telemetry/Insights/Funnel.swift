package import ServerAccess
import SubGuardDomain

/// The funnel: how many of the users who signed up on some days reached each stage.
package struct Funnel: Sendable, Hashable {
    package var standing: FigureStanding
    package let range: DayRange
    /// How long after their signup users count as having reached a stage; nil for any time.
    package let window: FunnelWindow?
    /// What ``segments`` are.
    package let dimension: FunnelDimension?
    /// All users of the range; with a window those whose windows have ended.
    package let all: Part
    /// With a window the users whose windows have not ended.
    package let unfinished: Part?
    /// The most users first, those of the same number by name; nil without a dimension.
    package let segments: [Segment]?

    /// Of all users; with a window of those whose windows have ended.
    package var stages: [Stage] { all.stages }

    /// Some users, and how many of them reached each stage.
    package struct Part: Sendable, Hashable {
        package let users: Int64
        package let stages: [Stage]
    }

    /// The users of a platform or an app version.
    package struct Segment: Sendable, Hashable {
        package let dimension: FunnelDimension
        package let name: String
        package let all: Part
        package let unfinished: Part?
    }

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

            var figure: Figure {
                switch self {
                case .downloads: .downloads
                case .firstSubscription: .firstSubscriptions
                case .fiveSubscriptions: .fiveSubscriptions
                case .retentionD7: .retentionD7
                case .retentionD30: .retentionD30
                }
            }

            /// The mark of a user who has reached the stage.
            var milestone: Milestone {
                switch self {
                case .downloads: .appDownloaded
                case .firstSubscription: .firstSubscriptionAdded
                case .fiveSubscriptions: .fiveSubscriptionsReached
                case .retentionD7: .retentionD7
                case .retentionD30: .retentionD30
                }
            }

            /// Its place in the order.
            var place: Int {
                switch self {
                case .downloads: 0
                case .firstSubscription: 1
                case .fiveSubscriptions: 2
                case .retentionD7: 3
                case .retentionD30: 4
                }
            }
        }
    }

    package static let definition = definition(within: nil, by: nil)

    package var definition: String { Self.definition(within: window, by: dimension) }

    package static func definition(within window: FunnelWindow?, by dimension: FunnelDimension?) -> String {
        let when = window.map { "at most \($0.days) x 24 h after the signup" } ?? "whenever it came"
        var sentences = [
            "Users, each once, whose signup lies on the days from through to (all when absent) and who bear the "
                + "stage's mark, \(when): app_downloaded, first_subscription_added, five_subscriptions_reached, "
                + "retention_d7, retention_d30. The signup is the time of app_downloaded, else of the earliest event."
        ]
        if let window {
            sentences.append(
                "Unfinished are users whose signup day had not ended \(window.days) x 24 h ago: more of them may still "
                    + "reach a stage in time, so they are counted apart from all others.")
        }
        switch dimension {
        case .platform:
            sentences.append(
                "The platform is that of the earliest event: other if it has no name here, unknown without one.")
        case .appVersion:
            sentences.append(
                "The app version is that of the earliest event: other if it is no version or not among the first 200, "
                    + "unknown without one.")
        case nil: break
        }
        sentences.append("Percentages have one decimal and are null over zero.")
        return sentences.joined(separator: " ")
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

/// A number of days after the signup, as `7d`.
package struct FunnelWindow: Sendable, Hashable {
    package let days: Int

    /// The distances that are stored.
    package static let bounds = 1...90
    package static let pattern = "^(?:[1-9]|[1-8][0-9]|90)d$"

    /// Nil outside of ``bounds``.
    package init?(days: Int) {
        guard Self.bounds.contains(days) else { return nil }
        self.days = days
    }

    /// Nil unless the text is as ``text`` writes it.
    package init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: "d"), let days = Int(text.dropLast()) else { return nil }
        self.init(days: days)
        guard self.text == text else { return nil }
    }

    package var text: String { "\(days)d" }
}
