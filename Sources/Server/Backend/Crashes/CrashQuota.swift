/// Something new that a request makes the crash store keep, and that one client may add only so much of.
package enum CrashAddition: Sendable, CaseIterable {
    case group
    case release
    case session
}

/// What one client may add to the crash store. It is asked inside the transaction that stores the client's reports.
package protocol CrashQuota: Sendable {
    /// A number from 0 to 63 that stands for the client's network today. Reports with different numbers came from
    /// different networks; the number does not lead back to one.
    var mark: Int { get }

    /// Takes that many out of the client's allowance; takes nothing and returns false when less is left.
    func take(_ addition: CrashAddition, _ count: Int64) -> Bool

    /// Returns what was taken for a transaction that failed.
    func giveBack(_ addition: CrashAddition, _ count: Int64)
}

/// The quota of a caller that is not limited: everything may be added.
package struct UnlimitedCrashQuota: CrashQuota {
    package let mark: Int

    package init(mark: Int = 0) { self.mark = mark }

    package func take(_ addition: CrashAddition, _ count: Int64) -> Bool { true }

    package func giveBack(_ addition: CrashAddition, _ count: Int64) {}
}
