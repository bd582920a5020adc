package import SubGuardDomain

/// Counts the charges before today of what a file adds or changes: a short file can stand for many.
package struct PastCharges {
    /// Some thirty times what a household has in ten years.
    package static let most = 200_000

    private let today: CalendarDay
    private let most: Int
    private var count = 0

    package init(before today: CalendarDay, most: Int = Self.most) {
        self.today = today
        self.most = most
    }

    /// Call it before they are written. Throws a fault once the file stands for too many.
    package mutating func take(_ subscription: Subscription) throws(Fault) {
        if count <= most { count += subscription.billingDays(before: today).count }
        guard count > most else { return }
        throw Fault(
            "started_on", .outOfRange, "The subscriptions of a file may have at most \(most) charges before today.")
    }
}
