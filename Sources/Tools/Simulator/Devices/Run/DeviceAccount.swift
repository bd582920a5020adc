/// The devices' counts, compared with those of the server.
package struct DeviceAccount: Tally, Equatable {
    /// Distinct events recorded by devices.
    package var recorded = 0
    /// Those of them with a received response.
    package var settled = 0
    /// Those of them without a response: 0 after a complete run.
    package var waiting = 0
    /// Events in all answered batches, counted each time that they were sent.
    package var sent = 0
    /// The counts in these responses.
    package var reported = EventCounts()
    /// Responses with wrong counts.
    package var miscounts = 0
    /// A description of the first of them.
    package var firstMiscount: String?
    package var suggestionsTaken = 0
    package var suggestionsWaiting = 0
    /// Devices with at least one settled event.
    package var users = 0
    /// Settled additions minus settled removals.
    package var subscriptions = 0
    package var conversions = 0

    package init() {}

    /// Counts the response to a batch of `size` events, and the events that it settles. `isFirst`: the first of this
    /// device.
    mutating func count(_ said: EventCounts, size: Int, settled events: [DeviceEvents.Event], isFirst: Bool) {
        sent += size
        reported += said
        settled += events.count
        if isFirst, !events.isEmpty { users += 1 }
        for event in events {
            switch event.name {
            case "subscription_added": subscriptions += 1
            case "subscription_removed": subscriptions -= 1
            case "premium_conversion": conversions += 1
            default: break
            }
        }
    }

    mutating func note(_ miscount: String) {
        miscounts += 1
        firstMiscount = firstMiscount ?? miscount
    }

    /// What the dashboard should have gained.
    package var figures: [String: Int] {
        ["total_users": users, "subscriptions_tracked": subscriptions, "premium_conversions": conversions]
    }

    /// The most important discrepancy; nil if every event is accounted for.
    package var fault: String? {
        if let firstMiscount { return "\(miscounts) answers have wrong counts; the first: \(firstMiscount)" }
        if waiting > 0 || settled != recorded {
            return "of \(recorded) events \(settled) were answered for: \(recorded - settled) are lost"
        }
        if sent != reported.total { return "\(sent) events were sent, and \(reported.total) answered for" }
        if reported.rejected > 0 { return "\(reported.rejected) events were rejected" }
        if suggestionsWaiting > 0 { return "\(suggestionsWaiting) suggestions are lost" }
        return nil
    }

    package mutating func add(_ other: DeviceAccount) {
        addCounts(
            other,
            [
                \.recorded, \.settled, \.waiting, \.sent, \.miscounts, \.suggestionsTaken, \.suggestionsWaiting,
                \.users,
                \.subscriptions, \.conversions,
            ])
        reported += other.reported
        firstMiscount = firstMiscount ?? other.firstMiscount
    }
}
