import ServerAccess
import SubGuardDomain
import TextCoding

/// The reports as CSV (RFC 4180) for a spreadsheet. Undefined values are empty cells. Formulas in texts are
/// neutralised; numbers, also negative ones, are not quoted. Each row repeats zone and definition, because people copy
/// rows.
package enum FigureCSV {
    package static func write(_ dashboard: Dashboard) -> [UInt8] {
        var table = Table(["figure", "value", "this_week", "last_week", "trend_percent"], dashboard.standing)
        for name in Dashboard.Name.allCases {
            let figure = dashboard[name]
            let numbers = [figure.value, figure.thisWeek, figure.lastWeek, figure.trendPercent]
            table.row(
                [SpreadsheetText.guarded(name.rawValue)] + numbers.map(text),
                definition: name.definition + " " + Dashboard.definition)
        }
        return table.bytes
    }

    /// A row for each stage; with segments one for each stage of each segment.
    package static func write(_ funnel: Funnel) -> [UInt8] {
        let shares = ["count", "percent_of_previous", "percent_of_first"]
        var columns = funnel.dimension.map { [$0.rawValue] } ?? []
        columns += ["stage"] + shares + ["from", "to"]
        if funnel.window != nil { columns.append("within") }
        if funnel.window != nil || funnel.dimension != nil { columns.append("users") }
        if funnel.window != nil { columns += (["users"] + shares).map { "unfinished_\($0)" } }
        var table = Table(columns, funnel.standing)
        func write(_ name: String?, _ all: Funnel.Part, _ unfinished: Funnel.Part?) {
            for (place, stage) in all.stages.enumerated() {
                var cells = name.map { [SpreadsheetText.guarded($0)] } ?? []
                cells += [SpreadsheetText.guarded(stage.name.rawValue)] + Self.cells(stage)
                cells += [funnel.range.from?.iso ?? "", funnel.range.to?.iso ?? ""]
                if let window = funnel.window { cells.append(window.text) }
                if funnel.window != nil || funnel.dimension != nil { cells.append("\(all.users)") }
                if let unfinished { cells += ["\(unfinished.users)"] + Self.cells(unfinished.stages[place]) }
                table.row(cells, definition: funnel.definition)
            }
        }
        if let segments = funnel.segments {
            for segment in segments { write(segment.name, segment.all, segment.unfinished) }
        } else {
            write(nil, funnel.all, funnel.unfinished)
        }
        return table.bytes
    }

    private static func cells(_ stage: Funnel.Stage) -> [String] {
        ["\(stage.count)", text(stage.percentOfPrevious), text(stage.percentOfFirst)]
    }

    package static func write(_ cohorts: Cohorts) -> [UInt8] {
        let cells = ["count", "eligible", "percent", "rating"]
        var table = Table(
            [cohorts.step.rawValue, "starts_on", "users"]
                + ["d1", "d7", "d30"].flatMap { day in cells.map { "\(day)_\($0)" } }, cohorts.standing)
        for cohort in cohorts.cohorts {
            let retention = [cohort.d1, cohort.d7, cohort.d30].flatMap { retention in
                retention.map { ["\($0.count)", "\($0.eligible)", text($0.percent), $0.rating.rawValue] }
                    ?? cells.map { _ in "" }
            }
            table.row(
                [cohort.week ?? cohort.month ?? "", cohort.startsOn.iso, "\(cohort.users)"] + retention,
                definition: cohorts.definition)
        }
        return table.bytes
    }

    package static func write(_ series: Series) -> [UInt8] {
        var table = Table(["figure", "step", "on", "value", "unfinished"], series.standing)
        for point in series.points {
            table.row(
                [
                    SpreadsheetText.guarded(series.figure.rawValue), series.range.step.rawValue, point.on.iso,
                    text(point.value), "\(point.isUnfinished)",
                ], definition: series.figure.definition)
        }
        return table.bytes
    }

    package static func write(_ ranking: Ranking) -> [UInt8] {
        var table = Table(["id", "name", "logo_url", "count"], ranking.standing)
        for item in ranking.items {
            table.row(
                [
                    item.id.lowercased, SpreadsheetText.guarded(item.name),
                    item.logoURL.map(SpreadsheetText.guarded) ?? "", "\(item.count)",
                ], definition: Ranking.definition)
        }
        return table.bytes
    }

    private static func text(_ number: FigureNumber?) -> String { number?.text ?? "" }

    private struct Table {
        private var writer = CSVWriter()
        private let zone: String

        init(_ columns: [String], _ standing: FigureStanding) {
            zone = standing.calendar.zoneName
            writer.record(columns + ["zone", "definition"])
        }

        var bytes: [UInt8] { writer.bytes }

        mutating func row(_ fields: [String], definition: String) {
            writer.record(fields + [zone, SpreadsheetText.guarded(definition)])
        }
    }
}

/// An exact number of a report: a whole count, or a percentage with one decimal.
package enum FigureNumber: Sendable, Hashable {
    case count(Int64)
    /// Tenths, so that 12.5 is 125 and no floating point is needed.
    case tenths(Int64)

    /// Decimal text that is also a JSON number: `42`, `-3`, `66.7`, `0.0`.
    package var text: String {
        switch self {
        case .count(let value): "\(value)"
        case .tenths(let value):
            "\(value < 0 ? "-" : "")\(value.magnitude / 10).\(value.magnitude % 10)"
        }
    }

    /// The number in tenths, clamped to the range of the type.
    var inTenths: Int64 {
        switch self {
        case .count(let value): Int64(clamping: Int128(value) * 10)
        case .tenths(let value): value
        }
    }

    /// `part` in percent of `whole`, rounded once, half to even; nil unless `whole` is above zero.
    package static func percent(_ part: Int64, of whole: Int64) -> FigureNumber? {
        guard whole > 0 else { return nil }
        let (quotient, remainder) = (Int128(part) * 1000).quotientAndRemainder(dividingBy: Int128(whole))
        let twice = remainder.magnitude * 2
        let isRoundedAway =
            twice > UInt128(whole) || twice == UInt128(whole) && !quotient.isMultiple(of: 2)
        let step: Int128 = isRoundedAway ? (part < 0 ? -1 : 1) : 0
        return .tenths(Int64(clamping: quotient + step))
    }
}

extension FigureCSV {
    /// A row for each day.
    package static func write(_ counts: EventCounts, _ selection: EventSelection, item: String?) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(["on", "events", "event", "item", "platform", "source", "complete_until", "zone"])
        for day in counts.days {
            writer.record([
                day.on.iso, "\(day.events)", SpreadsheetText.guarded(selection.event ?? ""),
                SpreadsheetText.guarded(item ?? ""), SpreadsheetText.guarded(selection.platform ?? ""),
                counts.source.rawValue, counts.completeUntil.rfc3339, "UTC",
            ])
        }
        return writer.bytes
    }
}

extension FigureStanding {
    /// Complete up to where the events were counted.
    package init(_ counts: EventCounts) { self.init(completeAt: counts.completeUntil, .utc) }
}
