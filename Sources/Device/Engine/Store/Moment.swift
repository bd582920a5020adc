public import Foundation
public import SubGuardDomain

/// When something is asked or done, and in which zone: the engine looks at no clock itself.
public struct Moment: Sendable, Hashable {
    public let now: UTCInstant
    public let time: LocalTime
    /// The day in the zone.
    public let today: CalendarDay

    public init(now: UTCInstant, zone: TimeZone) {
        self.now = now
        time = LocalTime(zone: zone)
        today = time.day(at: now)
    }
}
