import SubGuardDomain
import TextCoding

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
