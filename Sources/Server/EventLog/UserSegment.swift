/// The platform and the app version that an event names, as the codes by which users are told apart.
///
/// A user has those of their earliest event. Among events of the same millisecond the smallest code wins, so that the
/// order in which they arrive makes no difference; what is known wins over what is not.
package struct UserSegment: Hashable, Sendable {
    /// A place in ``platforms``, ``otherPlatform`` or ``unknownPlatform``.
    package private(set) var platform: UInt8
    /// A code of ``AppVersions``, ``otherVersion`` or ``unknownVersion``.
    package private(set) var version: UInt8

    /// The platforms that have a name. Stored users have the places in this list: only append to it, at most 14.
    package static let platforms = [
        "ios", "ipados", "macos", "watchos", "tvos", "visionos", "android", "web", "windows", "linux",
    ]
    package static let otherPlatform: UInt8 = 14
    package static let unknownPlatform: UInt8 = 15
    package static let otherVersion: UInt8 = 254
    package static let unknownVersion: UInt8 = 255

    /// Of an event that names neither.
    package static let unknown = UserSegment(platform: unknownPlatform, version: unknownVersion)

    package init(platform: UInt8, version: UInt8) {
        self.platform = platform
        self.version = version
    }

    /// Adds another event of the same moment.
    package mutating func join(_ other: UserSegment) {
        platform = min(platform, other.platform)
        version = min(version, other.version)
    }

    /// In one number, below 4,096.
    package var packed: UInt64 { UInt64(version) << 4 | UInt64(platform) }

    /// Nil for a number that no segment has.
    package init?(packed: UInt64) {
        guard packed < 1 << 12 else { return nil }
        self.init(platform: UInt8(packed & 15), version: UInt8(packed >> 4))
    }

    /// The code of a platform as an event names it, in any case.
    package static func platform(named name: some Sequence<UInt8>) -> UInt8 {
        let lowercased = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return platforms.firstIndex { $0.utf8.elementsEqual(lowercased) }.map(UInt8.init) ?? otherPlatform
    }
}
