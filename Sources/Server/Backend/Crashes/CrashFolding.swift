/// Why something was counted in ``CrashStore/overflowTitle`` or under ``CrashStore/otherRelease``. The raw value is a label
/// of the metrics.
package enum CrashFolding: String, Sendable, CaseIterable {
    /// The client has added as many groups as it may.
    case groupQuota = "group_quota"
    /// All groups are too new to give way.
    case groupsFull = "groups_full"
    /// The client has added as many releases as it may.
    case releaseQuota = "release_quota"
    /// All releases are too new to give way.
    case releasesFull = "releases_full"
    /// The release is not among those that the operator knows.
    case releaseUnknown = "release_unknown"
}

/// What gave way to something new. The raw value is a label of the metrics.
package enum CrashEviction: String, Sendable, CaseIterable {
    case group
    case release
    /// A release of one group.
    case groupRelease = "group_release"
}
