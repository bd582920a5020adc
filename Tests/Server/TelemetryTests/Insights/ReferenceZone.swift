import Foundation
import SubGuardDomain

/// Days of a zone by the calendar of Foundation, in which every date is converted by itself.
struct ReferenceZone {
    static let utc = ReferenceZone("UTC")

    private let calendar: Calendar

    init(_ name: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: name) ?? .gmt
        self.calendar = calendar
    }

    func day(of instant: UTCInstant) -> CalendarDay {
        let date = Date(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1000)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return CalendarDay(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0) ?? .earliest
    }
}
