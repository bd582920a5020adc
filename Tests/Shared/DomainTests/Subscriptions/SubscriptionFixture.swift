import Foundation
import SubGuardDomain
import TestKit
import Testing

/// A subscription made from a draft, for tests that look at one rule.
enum SubscriptionFixture {
    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    static func make(
        _ changes: SubscriptionDraft = [:], today: String = "2026-11-20"
    ) throws -> Subscription {
        var draft: SubscriptionDraft = [
            .name: "Netflix", .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        draft.merge(changes) { $1 }
        return try Subscription.make(
            draft, id: id, today: try day(today), now: UTCInstant(startOf: try day(today)))
    }
}
