import SubGuardDomain

/// A file of the system's time zone data, as RFC 9636 describes it (TZif, version 2 and later). In seconds.
package struct ZoneFile: Sendable {
    /// The offset before the first change.
    package let first: Int64
    /// When the offset changes, ascending, and to what. The rule that the file ends with is carried out up to 2100.
    package private(set) var changes: [(at: Int64, offset: Int64)]

    private static let lastYear = 2100
    /// Some 35,000 years.
    private static let longAhead: Int64 = 1 << 40

    /// Nil for anything else, such as a zone that counts leap seconds.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes[...])
        guard let old = Header(from: &reader), old.version >= UInt8(ascii: "2"),
            // The same in 32 bits, for earlier programs.
            reader.take(old.size(ofTime: 4)) != nil,
            let header = Header(from: &reader), header.leapSeconds == 0, header.types > 0,
            let times = reader.take(header.times * 8), let indices = reader.take(header.times),
            let types = reader.take(header.types * 6),
            reader.take(header.characters + header.standards + header.universals) != nil
        else { return nil }
        let offsets = stride(from: types.startIndex, to: types.endIndex, by: 6).map { start in
            Int64(Int32(truncatingIfNeeded: Reader.number(types[start..<start + 4])))
        }
        // No place is further from UTC than a day.
        guard offsets.allSatisfy({ abs($0) <= 86_400 }), indices.allSatisfy({ Int($0) < offsets.count }) else {
            return nil
        }
        let all = zip(stride(from: times.startIndex, to: times.endIndex, by: 8), indices).map { start, index in
            (at: Int64(bitPattern: Reader.number(times[start..<start + 8])), offset: offsets[Int(index)])
        }
        guard zip(all, all.dropFirst()).allSatisfy({ $0.at < $1.at }), all.last?.at ?? 0 <= Self.longAhead,
            let footer = reader.footer, let rule = ZoneRule(footer)
        else { return nil }
        // Some files begin with a change before any history.
        let ancient = all.prefix { $0.at < -Self.longAhead }
        first = ancient.last?.offset ?? offsets[0]
        changes = Array(all.dropFirst(ancient.count))
        let last = changes.last?.at ?? .min
        let lastDay = CalendarDay(daysSinceEpoch: Int(max(last, 0) / 86_400))
        for year in (lastDay?.year ?? 1970)...max(Self.lastYear, lastDay?.year ?? 0) {
            changes += rule.changes(in: year).filter { $0.at > last }
        }
    }

    private struct Header {
        let version: UInt8
        let universals, standards, leapSeconds, times, types, characters: Int

        init?(from reader: inout Reader) {
            guard let magic = reader.take(4), magic.elementsEqual("TZif".utf8), let version = reader.take(16)?.first,
                let counts = reader.take(24)
            else { return nil }
            let numbers = stride(from: counts.startIndex, to: counts.endIndex, by: 4).map { start in
                Int(Reader.number(counts[start..<start + 4]))
            }
            // Far more than any zone has.
            guard numbers.allSatisfy({ $0 <= 10_000 }) else { return nil }
            self.version = version
            (universals, standards, leapSeconds) = (numbers[0], numbers[1], numbers[2])
            (times, types, characters) = (numbers[3], numbers[4], numbers[5])
        }

        func size(ofTime width: Int) -> Int {
            times * (width + 1) + types * 6 + characters + leapSeconds * (width + 4) + standards + universals
        }
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

        /// What stands between the last two line ends.
        var footer: String? {
            guard rest.first == UInt8(ascii: "\n"), rest.last == UInt8(ascii: "\n"), rest.count >= 2 else { return nil }
            return String(decoding: rest.dropFirst().dropLast(), as: UTF8.self)
        }
    }
}

/// What holds after the last change of a file, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`. Changes of clock by
/// the number of a day in the year, which no zone has, are not read.
private struct ZoneRule {
    /// A change of clock: the Nth weekday of a month, 5 for the last one, and a time of day, which may be negative or
    /// beyond the day.
    private struct Change {
        let month, week, weekday: Int
        let seconds: Int64
    }

    private let standard: Int64
    private let summer: (offset: Int64, begins: Change, ends: Change)?

    init?(_ text: String) {
        var rest = text.utf8[...]
        // None: the last offset holds.
        guard !rest.isEmpty else {
            (standard, summer) = (0, nil)
            return
        }
        // Offsets are written as what is added to local time.
        guard Self.skipName(&rest), let offset = Self.time(&rest) else { return nil }
        standard = -offset
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        let ahead = rest.first == UInt8(ascii: ",") ? offset - 3600 : Self.time(&rest)
        guard let ahead, let begins = Self.change(&rest), let ends = Self.change(&rest), rest.isEmpty else {
            return nil
        }
        summer = (-ahead, begins, ends)
    }

    /// Both in their order.
    func changes(in year: Int) -> [(at: Int64, offset: Int64)] {
        guard let summer else { return [] }
        return [
            (Self.moment(summer.begins, year) - standard, summer.offset),
            (Self.moment(summer.ends, year) - summer.offset, standard),
        ].sorted { $0.0 < $1.0 }
    }

    /// Seconds since the epoch, as the clock there shows it.
    private static func moment(_ change: Change, _ year: Int) -> Int64 {
        let first = CalendarDay(year: year, month: change.month, day: 1)?.daysSinceEpoch ?? 0
        let next =
            CalendarDay(year: change.month == 12 ? year + 1 : year, month: change.month % 12 + 1, day: 1)?
            .daysSinceEpoch ?? first
        // The epoch was a Thursday.
        let weekday = ((first + 4) % 7 + 7) % 7
        var day = first + (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7
        while day >= next { day -= 7 }
        return Int64(day) * 86_400 + change.seconds
    }

    /// Letters, or anything between `<` and `>`.
    private static func skipName(_ rest: inout Substring.UTF8View) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        rest = rest.dropFirst(name.count)
        return !name.isEmpty
    }

    private static func number(_ rest: inout Substring.UTF8View) -> Int? {
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard !digits.isEmpty, digits.count <= 3 else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `3`, `-1:30` or `+02:00:00`, in seconds; at most a week.
    private static func time(_ rest: inout Substring.UTF8View) -> Int64? {
        let isNegative = skip("-", &rest)
        if !isNegative { _ = skip("+", &rest) }
        guard let hours = number(&rest), hours <= 167 else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where skip(":", &rest) {
            guard let part = number(&rest), part < 60 else { return nil }
            seconds += part * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    /// `,M3.5.0/2`; without a time at two.
    private static func change(_ rest: inout Substring.UTF8View) -> Change? {
        guard skip(",", &rest), skip("M", &rest), let month = number(&rest), skip(".", &rest),
            let week = number(&rest), skip(".", &rest), let weekday = number(&rest),
            (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
        else { return nil }
        guard skip("/", &rest) else { return Change(month: month, week: week, weekday: weekday, seconds: 7200) }
        guard let seconds = time(&rest) else { return nil }
        return Change(month: month, week: week, weekday: weekday, seconds: seconds)
    }
}
