import EventLog
import JSONWire
package import SubGuardContract
import SubGuardDomain
package import Telemetry

extension APIOperation {
    package static let exportEvents = APIOperation(
        .get, "/api/v1/admin/events/export", "exportEvents", tag: .administration, access: .permission(.eventsExport),
        summary: "Export the raw events",
        """
        Every event that occurred within the range and has not been purged, in the order of arrival, as a stream. \
        `user` is a number in place of the hash: the same for the same user, and it leads nowhere. To resume after an \
        interruption, send `block` and `id` of the last complete line as `after`; no event is repeated or left out. \
        The audit log has each export.
        """, query: .object(EventExportQuery.self),
        answers: [
            .other(
                200,
                [
                    .other(
                        "application/x-ndjson", ["type": "string"],
                        example: .string(
                            """
                            {"block":4821,"id":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b","name":"app_opened",\
                            "user":4503599627370497,"timestamp":"2026-11-20T10:00:00Z",\
                            "received_at":"2026-11-20T10:00:03.250Z","properties":{"platform":"ios"}}

                            """)),
                    .other(
                        "text/csv", ["type": "string"],
                        example: .string(
                            """
                            block,id,name,user,timestamp,received_at,app_version,os_version,platform,locale,\
                            catalogue_item_id,price_tier,days_since_first_launch\r
                            4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b,app_opened,4503599627370497,\
                            2026-11-20T10:00:00Z,2026-11-20T10:00:03.250Z,,,ios,,,,\r

                            """)),
                ], "An event a line. A response that breaks off has no last chunk.",
                headers: [.contentDisposition, .contentTypeOptions])
        ], traits: .unconditional)

    static let ofExports: [APIOperation] = [exportEvents]
}

/// The range and form of an export of events.
package struct EventExportQuery: WireObject {
    private let from: UTCInstant?
    private let to: UTCInstant?
    private let format: EventExportFormat
    private let after: EventPosition?
    private let limit: Int?
    private let hasMark: Bool

    package var selection: EventExportSelection {
        EventExportSelection(
            format: format, from: from, before: to, after: after, limit: limit, hasMark: hasMark)
    }

    package static let wire = WireSchema<EventExportQuery>(
        nil, make: EventExportQuery.init,
        Field(
            "from", \.from, optional: .instantOrDay,
            "Only events that occurred at this moment or later: an instant, or a day for its start in UTC."),
        Field(
            "to", \.to, optional: .instantOrDay,
            "Only events that occurred before this moment: one day is `from=2026-11-20&to=2026-11-21`."),
        Field("format", \.format, .choice, "`ndjson`: a JSON object a line.", default: .ndjson),
        Field(
            "after", \.after, optional: .eventPosition,
            "Only events that arrived after this one: `block` and `id` of a line, with a comma between them. A CSV "
                + "response then has no line of column names, so that it can be appended."),
        Field("limit", \.limit, optional: .integer(1...1_000_000_000), "Maximum number of events."),
        Field(byteOrderMark: \.hasMark)
    ) { query, reading in
        guard let from = query.from, let to = query.to, from >= to else { return }
        reading.at("to") { reading.note(.outOfRange, "Must be later than from.") }
    }
}

extension WireType where Value == UTCInstant {
    /// An instant, or a day for its first moment in UTC.
    fileprivate static var instantOrDay: WireType {
        let (instant, day) = (WireType<UTCInstant>.givenInstant, WireType<CalendarDay>.day)
        return WireType { components in
            ["anyOf": [.object(instant.schema(&components)), .object(day.schema(&components))]]
        } example: {
            "2026-11-20"
        } write: {
            $1.string($0.rfc3339)
        } read: { json, reading in
            guard let text = reading.text(json) else { return nil }
            let value = UTCInstant(rfc3339OrDay: text)
            if value == nil {
                reading.note(.invalidTimestamp, "Must be an RFC 3339 date-time with a zone, or a day as YYYY-MM-DD.")
            }
            return value
        }
    }
}

extension WireType where Value == EventPosition {
    fileprivate static var eventPosition: WireType {
        .converted(
            .text(
                38...56,
                pattern: "^[1-9][0-9]{0,17},[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$",
                example: "4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b"), else: .invalidCursor,
            "Must be block and id of a line, such as 4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b.",
            encode: \.text, decode: EventPosition.init(text:))
    }
}
