import Foundation
import JSONWire
import SubGuardDomain

/// Splits an envelope of the Sentry protocol into its items: a header line of JSON, then for each item a header line of
/// JSON and its payload. Payloads are not parsed.
package enum EnvelopeParser {
    /// Items of one envelope.
    package static let maximumItems = 200

    /// Maximum bytes of a header line. An envelope's header holds an SDK's package names, its integrations and up to 8
    /// KiB of trace baggage; an item's header holds a file name.
    package static let maximumHeaderBytes = 16 << 10

    private static let lineFeed = UInt8(ascii: "\n")
    private static let maximumHeaderDepth = 16
    /// Maximum JSON values in an envelope's header; packages and integrations take about 300.
    private static let maximumHeaderValues = 1_000
    private static let maximumItemHeaderValues = 100

    package static func parse(_ body: [UInt8]) throws(EnvelopeError) -> Envelope {
        guard !body.isEmpty else { throw .empty }
        let header = line(of: body, from: 0)
        let fields = try Self.fields(body, ofHeader: header)
        var items: [Envelope.Item] = []
        var position = min(header.upperBound + 1, body.count)
        while let next = try nextItem(of: body, from: &position, index: items.count) {
            guard items.count < maximumItems else { throw .tooManyItems }
            items.append(next)
        }
        let events = items.count { $0.type == "event" }
        guard events <= 1 else { throw .secondEvent }
        guard events == 0 || !items.contains(where: { $0.type == "transaction" }) else { throw .eventAndTransaction }
        return Envelope(
            eventID: try eventID(in: fields), sentAt: try sentAt(in: fields), dsn: try dsn(in: fields), header: header,
            items: items)
    }

    /// Advances past the item; nil when only empty lines are left.
    private static func nextItem(
        of body: [UInt8], from position: inout Int, index: Int
    ) throws(EnvelopeError) -> Envelope.Item? {
        guard body[position...].contains(where: { $0 != lineFeed }) else { return nil }
        let header = line(of: body, from: position)
        let (type, given) = try itemHeader(body, header, index: index)
        let start = min(header.upperBound + 1, body.count)
        let payload: Range<Int>
        if let length = given {
            guard length <= body.count - start else { throw .truncatedItem(index: index) }
            payload = start..<start + Int(length)
            guard payload.upperBound == body.count || body[payload.upperBound] == lineFeed else {
                throw .missingLineFeed(index: index)
            }
        } else {
            // A carriage return is part of the payload.
            payload = line(of: body, from: start)
        }
        position = min(payload.upperBound + 1, body.count)
        return Envelope.Item(type: type, payload: payload)
    }

    /// The type of an item, and the length of its payload; nil if it ends with its line.
    static func itemHeader(
        _ body: [UInt8], _ range: Range<Int>, index: Int
    ) throws(EnvelopeError) -> (type: String, length: Int64?) {
        guard range.count <= maximumHeaderBytes else { throw .headerTooLong(index: index) }
        guard let fields = object(body, range, maximumItemHeaderValues), let type = fields["type"]?.stringValue,
            !type.isEmpty
        else { throw .invalidItemHeader(index: index) }
        guard let given = fields["length"], !given.isNull else { return (type, nil) }
        guard let length = given.integerValue, length >= 0 else { throw .invalidLength(index: index) }
        return (type, length)
    }

    /// The bytes up to the next line feed, or the end.
    private static func line(of body: [UInt8], from start: Int) -> Range<Int> {
        start..<(body[start...].firstIndex(of: lineFeed) ?? body.count)
    }

    /// Reads the credentials from the first line of a partial envelope; nil if there are none.
    package static func dsn(inPrefix prefix: [UInt8]) throws(EnvelopeError) -> EnvelopeDSN? {
        guard !prefix.isEmpty else { throw .empty }
        return try dsn(in: try fields(prefix, ofHeader: line(of: prefix, from: 0)))
    }

    private static func fields(_ body: [UInt8], ofHeader range: Range<Int>) throws(EnvelopeError) -> JSONObject {
        guard range.count <= maximumHeaderBytes else { throw .headerTooLong(index: nil) }
        guard let fields = object(body, range, maximumHeaderValues) else { throw .invalidHeader }
        return fields
    }

    private static func object(_ body: [UInt8], _ range: Range<Int>, _ maximumValues: Int) -> JSONObject? {
        let value = try? JSONValue.parse(
            Array(body[range]), maximumDepth: maximumHeaderDepth, maximumValues: maximumValues,
            replacesLoneSurrogates: true)
        return value?.objectValue
    }

    private static func eventID(in fields: JSONObject) throws(EnvelopeError) -> UUID? {
        guard let value = fields["event_id"], !value.isNull else { return nil }
        guard let id = value.stringValue.flatMap({ SentryID.uuid($0) }) else { throw .invalidEventID }
        return id
    }

    private static func sentAt(in fields: JSONObject) throws(EnvelopeError) -> UTCInstant? {
        guard let value = fields["sent_at"], !value.isNull else { return nil }
        guard let instant = SentryTime.instant(value) else { throw .invalidSentAt }
        return instant
    }

    private static func dsn(in fields: JSONObject) throws(EnvelopeError) -> EnvelopeDSN? {
        guard let value = fields["dsn"], !value.isNull else { return nil }
        guard let dsn = value.stringValue.flatMap({ EnvelopeDSN($0) }) else { throw .invalidDSN }
        return dsn
    }
}
