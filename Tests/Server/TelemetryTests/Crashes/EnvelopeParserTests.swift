import Foundation
import JSONWire
import SubGuardDomain
import Telemetry
import Testing

@Suite struct EnvelopeParserTests {
    private static let id = "9ec79c33-ec99-42ab-8353-589fcb2e04dc"

    private func parse(_ text: String) throws(EnvelopeError) -> Envelope { try EnvelopeParser.parse(Array(text.utf8)) }

    /// The items as pairs of type and payload.
    private func items(_ text: String) throws -> [[String]] {
        let body = Array(text.utf8)
        return try EnvelopeParser.parse(body).items.map {
            [$0.type, String(decoding: body[$0.payload], as: UTF8.self)]
        }
    }

    private func expect(
        _ text: String, _ error: EnvelopeError, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) { try parse(text) }
    }

    @Test func cutsItemsWithAndWithoutLength() throws {
        let text = """
            {}
            {"type":"a","length":5}
            x
            y\r\n
            {"type":"b"}
            second\r\n{"type":"c","length":null}
            end
            """
        #expect(try items(text) == [["a", "x\ny\r\n"], ["b", "second\r"], ["c", "end"]])
    }

    @Test func takesAnEnvelopeWithoutItemsAndEmptyPayloads() throws {
        for text in ["{}", "{}\n", "{}\n\n", "{ }\n\n\n"] { #expect(try items(text).isEmpty) }
        #expect(try items("{}\n{\"type\":\"a\",\"length\":0}\n\n{\"type\":\"b\"}\n\n{\"type\":\"c\"}").count == 3)
    }

    @Test func readsTheHeader() throws {
        let envelope = try parse(
            #"""
            {"event_id":"\#(Self.id.filter { $0 != "-" })","sent_at":"2026-11-20T10:00:00.5Z",\#
            "dsn":"https://k@h/ingest/7"}
            """#
        )
        #expect(envelope.eventID?.lowercased == Self.id)
        #expect(envelope.sentAt?.rfc3339 == "2026-11-20T10:00:00.500Z")
        #expect(envelope.dsn?.key == "k")
        #expect(envelope.dsn?.projectID == "7")
        #expect(try parse(#"{"event_id":null,"sent_at":null,"dsn":null,"trace":{"x":[1]}}"#).eventID == nil)
    }

    @Test(arguments: [
        "", "\n", "\n{}", "[]", "null", "{", "{}x", "{\"a\":1,\"a\":2}",
        "{\"sent_at\":\"2026-11-20T10:00:00Z\",\"sent_at\":\"2026-11-20T10:00:00Z\"}", "\u{FEFF}{}",
    ])
    func refusesABadHeader(_ text: String) {
        expect(text, text.isEmpty ? .empty : .invalidHeader)
    }

    @Test func refusesBadValuesInTheHeader() {
        expect(#"{"event_id":"\#(Self.id)0"}"#, .invalidEventID)
        expect(#"{"event_id":7}"#, .invalidEventID)
        expect(#"{"sent_at":"yesterday"}"#, .invalidSentAt)
        expect(#"{"dsn":"https://h/1"}"#, .invalidDSN)
        expect(#"{"dsn":"https://k@h/"}"#, .invalidDSN)
        expect(#"{"dsn":"https://k@h/\#(String(repeating: "a", count: 501))"}"#, .invalidDSN)
        // Steps backwards from its end would each count the whole run.
        expect(#"{"dsn":"https://k@h/\#(String(repeating: "\u{1F1E6}", count: 4000))"}"#, .invalidHeader)
    }

    @Test func refusesItemsThatDoNotFit() {
        expect("{}\nx", .invalidItemHeader(index: 0))
        expect("{}\n{\"length\":1}\nx", .invalidItemHeader(index: 0))
        expect("{}\n{\"type\":\"\"}\nx", .invalidItemHeader(index: 0))
        expect("{}\n{\"type\":\"a\"}\nx\n\n{}", .invalidItemHeader(index: 1))
        expect("{}\n{\"type\":\"a\",\"length\":2}\nx", .truncatedItem(index: 0))
        expect("{}\n{\"type\":\"a\",\"length\":1}", .truncatedItem(index: 0))
        expect("{}\n{\"type\":\"a\",\"length\":9223372036854775807}\nx", .truncatedItem(index: 0))
        expect("{}\n{\"type\":\"a\",\"length\":1}\nxy", .missingLineFeed(index: 0))
        for length in ["-1", "1.0", "1e0", "\"1\"", "9223372036854775808"] {
            expect("{}\n{\"type\":\"a\",\"length\":\(length)}\nx", .invalidLength(index: 0))
        }
    }

    @Test func holdsOneEventAndNoTransactionBesideIt() throws {
        let event = "{\"type\":\"event\"}\n{}\n"
        let transaction = "{\"type\":\"transaction\"}\n{}\n"
        expect("{}\n" + event + event, .secondEvent)
        expect("{}\n" + transaction + event, .eventAndTransaction)
        #expect(try items("{}\n" + transaction + transaction).count == 2)
    }

    @Test func boundsTheNumberOfItems() throws {
        let item = "{\"type\":\"a\"}\n\n"
        #expect(try items("{}\n" + String(repeating: item, count: EnvelopeParser.maximumItems)).count == 200)
        expect("{}\n" + String(repeating: item, count: EnvelopeParser.maximumItems + 1), .tooManyItems)
    }

    @Test(arguments: [
        ("http://k@127.0.0.1:8080/ingest/1", "k", "1"), ("https://k:secret@h/1", "k", "1"),
        ("a://k@[::1]/x/y/z", "k", "z"), ("a://k@b://h/1", "k", "1"),
        ("https://k@h/\(String(repeating: "a", count: 500))", "k", String(repeating: "a", count: 500)),
    ])
    func readsDSNs(_ text: String, _ key: String, _ project: String) throws {
        let dsn = try #require(EnvelopeDSN(text))
        #expect(dsn.key == key)
        #expect(dsn.projectID == project)
    }
}
