import SubGuardDomain
import TextCoding

/// How the numbers of a file's dates were put in order.
public struct StatementDateReading: Sendable, Hashable {
    /// The order of day, month and year, given or told from the file.
    public var order: DateOrder
    /// Whether no row proves the order: the language, the currency and the decimal mark decided.
    public var isAssumed: Bool

    /// Takes the order as it is; by default it counts as proven.
    public init(_ order: DateOrder, isAssumed: Bool = false) {
        self.order = order
        self.isAssumed = isAssumed
    }
}

/// What a file says about the order of day, month and year in its dates.
///
/// Evidence decides, in this order: a number that can be no month or no day; the same in other columns of dates; years
/// that would not follow each other; other dates of the same row, which are near; rows that are sorted by day in one
/// order only. Without any, the language, the currency and the decimal mark decide.
struct StatementDateEvidence {
    /// The dates of the bookings, in the order of the file.
    var dates: [StatementDate] = []
    /// Other columns of dates, each in the order of the file; nil where a row has none.
    var others: [[StatementDate?]] = []
    /// Dates in the words of the rows, such as `CARTE 29/09`, each with that of the booking.
    var pairs: [(StatementDate, StatementDate)] = []
    /// Whether dates with the month first are usual where the file comes from.
    var isAmerican = false
    /// Whether amounts have a decimal comma.
    var hasDecimalComma = false

    /// The order; nil when every date is complete, so that no order matters.
    func reading(_ options: StatementOptions) -> StatementDateReading? {
        guard dates.contains(where: { !$0.isComplete }) else { return nil }
        if let given = options.dateOrder { return StatementDateReading(given) }
        var left = usualOrders(options)
        left = left.keepingLeast { order in dates.count { $0.day(order) == nil } }
        left = left.keepingLeast { order in others.joined().count { $0.map { $0.day(order) == nil } ?? false } }
        left = left.keepingLeast { order in Set(dates.compactMap { $0.day(order)?.year }).count }
        left = keepingNear(left)
        left = keepingSorted(left)
        let order = left[0]
        let isAssumed = left.contains { other in dates.contains { $0.day(other) != $0.day(order) } }
        return StatementDateReading(order, isAssumed: isAssumed)
    }

    /// All orders, the usual one first. The month comes first only where all that is known is American.
    private func usualOrders(_ options: StatementOptions) -> [DateOrder] {
        let isMonthFirst = isAmerican && !hasDecimalComma && options.language != .french
        return isMonthFirst ? [.mdy, .dmy, .ymd] : [.dmy, .mdy, .ymd]
    }

    /// The orders in which the dates of a row are near each other: half as far apart as in others, or less.
    private func keepingNear(_ orders: [DateOrder]) -> [DateOrder] {
        guard orders.count > 1 else { return orders }
        var rows = pairs
        // Rows without a booking date are in neither list.
        for column in others where column.count == dates.count {
            for (date, other) in zip(dates, column) { if let other { rows.append((date, other)) } }
        }
        var distances = orders.map { _ in 0 }
        for (date, other) in rows {
            let days = orders.map { order -> Int? in
                guard let left = date.day(order), let right = other.day(order) else { return nil }
                return abs(left.days(until: right))
            }
            // A row that exists in one order only says nothing about distances.
            guard !days.contains(nil) else { continue }
            for (place, count) in days.enumerated() { distances[place] += min(count ?? 0, 366) }
        }
        guard let least = distances.min() else { return orders }
        return zip(orders, distances).filter { $0.1 <= least * 2 }.map(\.0)
    }

    /// The orders in which the rows run through the days once, up or down, when others jump to and fro.
    private func keepingSorted(_ orders: [DateOrder]) -> [DateOrder] {
        guard orders.count > 1 else { return orders }
        let sorted = orders.filter { order in
            let days = dates.compactMap { $0.day(order) }
            guard Set(days).count >= 3, let first = days.min(), let last = days.max() else { return false }
            let way = zip(days, days.dropFirst()).reduce(0) { $0 + abs($1.0.days(until: $1.1)) }
            // Banks sort by another day than the one they print, so that neighbours may be swapped.
            return way * 5 <= first.days(until: last) * 6
        }
        return sorted.isEmpty ? orders : sorted
    }
}

extension [DateOrder] {
    /// Those with the least number; the order stays.
    fileprivate func keepingLeast(_ count: (DateOrder) -> Int) -> [DateOrder] {
        guard self.count > 1 else { return self }
        let counts = map(count)
        let least = counts.min() ?? 0
        return zip(self, counts).filter { $0.1 == least }.map(\.0)
    }
}

extension StatementDate {
    /// Whether the text alone tells the day.
    var isComplete: Bool {
        if case .day = self { true } else { false }
    }

    /// The first `29/09` in the words of an entry, in the year of its booking; nil without one.
    init?(in words: String, near booking: StatementDate) {
        guard let year = booking.day(.dmy)?.year ?? booking.day(.mdy)?.year else { return nil }
        let digits = Array(words.utf8)
        let isDigit = { (place: Int) in digits.indices.contains(place) && (0x30...0x39).contains(digits[place]) }
        let value = { (place: Int) in Int(digits[place] - 0x30) * 10 + Int(digits[place + 1] - 0x30) }
        for slash in digits.indices where digits[slash] == UInt8(ascii: "/") {
            guard isDigit(slash - 1), isDigit(slash - 2), isDigit(slash + 1), isDigit(slash + 2),
                !isDigit(slash - 3), !isDigit(slash + 3)
            else { continue }
            self = .numbers(first: value(slash - 2), second: value(slash + 1), year: year)
            return
        }
        return nil
    }
}

extension StatementTable {
    /// All dates of the rows with a date of booking.
    func dateEvidence() -> StatementDateEvidence {
        var evidence = StatementDateEvidence()
        guard let column = columns.column(.date) else { return evidence }
        let dated = rows.compactMap { record -> (record: Record, date: StatementDate)? in
            guard column < record.fields.count else { return nil }
            return StatementDate(record.fields[column]).map { (record, $0) }
        }
        evidence.dates = dated.map(\.date)
        guard dated.contains(where: { !$0.date.isComplete }) else { return evidence }
        let cell = { (record: Record, place: Int) in place < record.fields.count ? record.fields[place] : "" }
        for place in columns.fields.indices where place != column {
            let filled = dated.prefix(300).map { cell($0.record, place) }.filter { !$0.isEmpty }
            guard !filled.isEmpty, filled.count(where: Self.isDate) * 5 > filled.count * 4 else { continue }
            evidence.others.append(dated.map { StatementDate(cell($0.record, place)) })
        }
        let texts = columns.columns(.description) + columns.columns(.payee)
        for (record, date) in dated {
            for place in texts {
                guard let other = StatementDate(in: cell(record, place), near: date) else { continue }
                evidence.pairs.append((date, other))
                break
            }
        }
        return evidence
    }
}
