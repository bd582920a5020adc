/// Something that a request may add to the crash store, limited for each client.
package enum CrashAddition: Sendable, CaseIterable {
    case group
    case release
    case session
}

/// What one client may add to the crash store. Called inside the transaction that stores the client's reports.
package protocol CrashQuota: Sendable {
    /// A number from 0 to 63 derived from the client's network and the day. Different numbers mean different networks;
    /// the network cannot be derived from the number.
    var mark: Int { get }

    /// Takes `count` from the client's allowance; takes nothing and returns false if less is left.
    func take(_ addition: CrashAddition, _ count: Int64) -> Bool

    /// Returns the allowance of a transaction that failed.
    func giveBack(_ addition: CrashAddition, _ count: Int64)
}

/// A quota without limits.
package struct UnlimitedCrashQuota: CrashQuota {
    package let mark: Int

    package init(mark: Int = 0) { self.mark = mark }

    package func take(_ addition: CrashAddition, _ count: Int64) -> Bool { true }

    package func giveBack(_ addition: CrashAddition, _ count: Int64) {}
}
