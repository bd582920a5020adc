public import Foundation

extension UTCInstant {
    /// The instant of a date, rounded to a millisecond. Clamps to the supported range; a date that is no number
    /// is 1970.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else {
            self = milliseconds > 0 ? .latest : milliseconds < 0 ? .earliest : UTCInstant(millisecondsSinceEpoch: 0)
            return
        }
        self.init(millisecondsSinceEpoch: whole)
    }

    /// The same instant for Foundation, such as the date of a widget's entry.
    public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1000) }
}
