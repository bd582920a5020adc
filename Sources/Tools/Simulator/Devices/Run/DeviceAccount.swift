/// What the devices believe, beside what the server said.
package struct DeviceAccount: Sendable, Equatable {
    /// Events that devices recorded, each once.
    package var recorded = 0
    /// Of them, those for which an answer was seen.
    package var settled = 0
    /// Of them, those that nobody answered for. A run that is over has none.
    package var waiting = 0
    /// Events of all answers, each as often as it was sent and answered.
    package var sent = 0
    /// What those answers said.
    package var reported = EventCounts()
    /// Answers that said something else than they had to.
    package var miscounts = 0
    /// The first of them, for people.
    package var firstMiscount: String?
    package var suggestionsTaken = 0
    package var suggestionsWaiting = 0
    /// Devices of which an event is settled.
    package var users = 0
    /// Settled additions less settled removals.
    package var subscriptions = 0
    package var conversions = 0

    package init() {}

    /// Takes the answer to a batch of `size` events, and those that it settles. `isFirst`: of this device.
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

    /// What is wrong with it, first things first; nil when every event is accounted for.
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

    mutating func add(_ other: DeviceAccount) {
        recorded += other.recorded
        settled += other.settled
        waiting += other.waiting
        sent += other.sent
        reported += other.reported
        miscounts += other.miscounts
        firstMiscount = firstMiscount ?? other.firstMiscount
        suggestionsTaken += other.suggestionsTaken
        suggestionsWaiting += other.suggestionsWaiting
        users += other.users
        subscriptions += other.subscriptions
        conversions += other.conversions
    }
}
