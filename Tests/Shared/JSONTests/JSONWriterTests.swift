import JSONWire
import Testing

@Suite struct JSONWriterTests {
    @Test func setsTheCommas() {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        writer.integer(1)
        writer.string("b")
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.null()
        writer.bool(true)
        writer.raw("12.50".utf8)
        writer.endArray()
        writer.key("next")
        writer.beginObject()
        writer.field("a", 1)
        writer.endObject()
        writer.endObject()
        #expect(text(writer) == #"{"items":[1,"b",{},[],null,true,12.50],"next":{"a":1}}"#)
    }

    @Test func writesFieldsOfEveryKind() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("s", "12.34 €")
        writer.field("i", Int64.min)
        writer.field("n", 42)
        writer.field("b", false)
        writer.field("sn", String?.none)
        writer.field("in", Int64?.none)
        writer.field("nn", Int?.none)
        writer.field("bn", Bool?.none)
        writer.field("v", JSONValue.array([.number("1e5")]))
        writer.endObject()
        let expected = #"""
            {"s":"12.34 €","i":-9223372036854775808,"n":42,"b":false,"sn":null,"in":null,"nn":null,"bn":null,"v":[1e5]}
            """#
        #expect(text(writer) == expected)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/", #""a\"b\\c/""#),
        ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
        ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""), ("\u{2028}\u{2029}😀é", "\"\u{2028}\u{2029}😀é\""),
        ("\"", #""\"""#),
        ("1234567\"", #""1234567\"""#), ("12345678\\9", #""12345678\\9""#),
    ])
    func escapesOnlyWhatMustBe(_ value: String, _ expected: String) throws {
        var writer = JSONWriter()
        writer.string(value)
        #expect(text(writer) == expected)
        #expect(try JSONValue.parse(writer.bytes) == .string(value))
    }

    @Test func writesPreparedNamesAndCharacters() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(JSONKey("a\"b"))
        writer.string(ascii: 4) { buffer in
            buffer[0] = UInt8(ascii: "x")
            buffer[1] = UInt8(ascii: "\\")
            return 2
        }
        writer.key(JSONKey("next"))
        writer.null()
        writer.endObject()
        #expect(text(writer) == #"{"a\"b":"x\\","next":null}"#)
    }

    @Test func escapesNamesToo() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("a\"\n", 1)
        writer.endObject()
        #expect(text(writer) == #"{"a\"\n":1}"#)
    }

    @Test(arguments: [0, 1, -1, 9, 10, 99, 100, -1000, Int64.max, Int64.min])
    func writesIntegersExactly(_ value: Int64) {
        var writer = JSONWriter()
        writer.integer(value)
        #expect(text(writer) == String(value))
    }

    private func text(_ writer: JSONWriter) -> String {
        String(decoding: writer.bytes, as: UTF8.self)
    }
}
