import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Counts by the day that are stored for ever.
extension FigureComparison {
    /// Adds a user's days, as derived from the raw events, to the activity; unknown ones are taken as they are stored.
    mutating func compareDays(_ kept: ActiveDays, hash: UserHash) {
        let unknown = lastUnknownDay ?? .min
        let raw = figures.users[hash]?.days(figures.calendar).filter { lastUnknownDay == nil || $0 > unknown } ?? []
        let known = kept.numbers
        fold.activity.add(lastUnknownDay == nil ? raw : known.filter { $0 <= unknown } + raw, 1)
        func words(_ days: [Int64]) -> String {
            days.isEmpty ? "none" : days.map(Self.words).joined(separator: " ")
        }
        result.compare(
            "user \(Self.name(of: hash)): active days",
            kept: lastUnknownDay == nil ? known : known.filter { $0 > unknown },
            recomputed: raw.filter { $0 >= kept.firstKnown }, words)
    }

    mutating func compareActivity() throws {
        // The windows that contain an unknown day end up to 30 days later.
        let first = lastUnknownDay.map { $0 + (ActivityChanges.lengths.max() ?? 0) + 1 } ?? .min
        var kept = staged.activity.rows
        try ActivityChanges.forEach(in: session) { kept[$0, default: ActivityChanges.Row()] &+= $1 }
        let found = fold.activity.rows
        for day in Set(kept.keys).union(found.keys).sorted() where day >= first {
            let (keptRow, foundRow) = (kept[day] ?? ActivityChanges.Row(), found[day] ?? ActivityChanges.Row())
            for (index, length) in ActivityChanges.lengths.enumerated() {
                result.compare(
                    "activity_days \(Self.words(day)): change_\(length)d", kept: keptRow[index],
                    recomputed: foundRow[index])
            }
        }
    }

    /// Of days with purged events nothing is known.
    mutating func compareEventDays() throws {
        let first = completeFrom.map { figures.calendar.number(of: $0) + 1 } ?? .min
        let names = try EventNames.load(in: session)
        var kept: [RecomputedFigures.EventDay: Int64] = [:]
        func key(_ nameID: Int64, _ day: Int64) -> RecomputedFigures.EventDay {
            RecomputedFigures.EventDay(name: names.name(of: nameID) ?? "", dayNumber: day)
        }
        for (day, count) in staged.eventDays { kept[key(day.nameID, day.dayNumber), default: 0] += count }
        try session.forEach("SELECT event_name_id, day_number, event_count FROM event_days", []) { row in
            kept[key(try row.integer(0), try row.integer(1)), default: 0] += try row.integer(2)
        }
        for day in Set(kept.keys).union(figures.eventDays.keys) where day.dayNumber >= first {
            result.compare(
                "event_days \(Self.words(day.dayNumber)): \(day.name)", kept: kept[day] ?? 0,
                recomputed: figures.eventDays[day] ?? 0)
        }
    }

    static func words(_ day: Int64) -> String {
        CalendarDay(daysSinceEpoch: Int(day))?.iso ?? "\(day)"
    }

    /// Compares `funnel_days` with the users, who were compared with the events before.
    mutating func compareFunnels() throws {
        var kept: [FunnelRow: FunnelCounts] = [:]
        try session.forEach("SELECT dimension, day_count, first_day, segment, counts FROM funnel_days", []) { row in
            let (dimension, span) = (try row.integer(0), try row.integer(1))
            let (firstDay, segment) = (try row.integer(2), try row.integer(3))
            guard let dimension = FunnelDimension.allCases.first(where: { $0.number == dimension }),
                let span = FunnelRow.Span(rawValue: span), let code = UInt8(exactly: segment)
            else { throw SQLError.malformed("funnel_days") }
            kept[FunnelRow(dimension, span, containing: firstDay, code)] = try FunnelCounts(try row.blob(4))
        }
        for (row, changes) in staged.funnels.rows {
            for (bucket, count) in changes { kept[row, default: FunnelCounts()][bucket] &+= count }
        }
        let found = fold.funnels.rows
        for row in Set(kept.keys).union(found.keys).sorted() {
            var recomputed = FunnelCounts()
            for (bucket, count) in found[row] ?? [] { recomputed[bucket] &+= count }
            let stored = kept[row] ?? FunnelCounts()
            let buckets = (0..<Int64(FunnelBucket.count)).map(FunnelBucket.init).filter { stored[$0] != recomputed[$0] }
            result.compare("funnel_days \(row)", kept: stored, recomputed: recomputed) { counts in
                buckets.map { "\($0) \(counts[$0])" }.joined(separator: ", ")
            }
        }
    }
}

extension FunnelRow: CustomStringConvertible {
    var description: String {
        "\(FigureComparison.words(firstDay))\(span == .day ? "" : " and \(span.rawValue - 1) more days"), "
            + "\(dimension.rawValue) \(segment)"
    }
}

extension FunnelBucket: CustomStringConvertible {
    var description: String {
        guard number > 0 else { return "users" }
        let (stage, lag) = (Int(number) - 1).quotientAndRemainder(dividingBy: Self.lags)
        return "\(Funnel.Stage.Name.allCases[stage].rawValue) after \(lag) days"
    }
}
