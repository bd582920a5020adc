import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry

extension AlertTarget {
    static func sample(_ channel: AlertChannel, address: String = "https://example.org/é") -> AlertTarget {
        AlertTarget(channel: channel, label: "https://example.org/…", address: address)
    }
}

extension AlertStore {
    /// Claims for the first receiver of a channel.
    func claim(_ channel: AlertChannel) throws -> AlertLease? {
        try targets.first { $0.channel == channel }.flatMap { try claim($0) }
    }
}

extension BackendFixture {
    /// A database with these channels; without channels, a firing is only marked.
    func alerts(_ channels: AlertChannel..., maximumAttempts: Int = 10) -> AlertStore {
        AlertStore(
            context: context, targets: channels.map { .sample($0) }, maximumAttempts: maximumAttempts)
    }

    /// Adds as many users to the totals as there are numbers in the range.
    func addUsers(_ numbers: ClosedRange<Int>) throws {
        try store.write { transaction in
            try transaction.execute(
                "UPDATE figure_totals SET users = users + ? WHERE id = 1", [.integer(Int64(numbers.count))])
        }
    }

    /// Moves the clock.
    func wait(seconds: Int64) { now = now.adding(seconds: seconds) }
}

extension AlertThresholdList {
    /// The number of users at the time of firing, by threshold.
    var fired: [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: thresholds.compactMap { one in one.userCount.map { (one.users, $0) } })
    }
}
