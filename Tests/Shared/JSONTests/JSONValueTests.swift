import JSONWire
import TestKit
import Testing

@Suite struct JSONValueTests {
    @Test func keepsTheOrderOfMembers() throws {
        let text = #"{"z":1,"a":{"y":[],"b":null},"m":"é"}"#
        let value = try parse(text)
        #expect(value.objectValue?.members.map(\.name) == ["z", "a", "m"])
        #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
        #expect(value.objectValue?["a"]?.objectValue?["b"] == .null)
        #expect(value.objectValue?["nope"] == nil)
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"x":{"k":1,"l":2,"k":3}}]"#, #"{"":1,"":2}"#,
    ])
    func refusesANameTwice(_ text: String) {
        let error = #expect(throws: JSONError.self) { try parse(text) }
        #expect(error?.reason == .duplicateName)
    }

    @Test func refusesANameTwiceAmongMany() throws {
        for count in [2, 12, 13, 14, 500] {
            let members = (0..<count).map { "\"k\($0)\":\($0)" }
            #expect(try parse("{\(members.joined(separator: ","))}").objectValue?.members.count == count)
            for repeated in [0, count - 1] {
                let text = "{\((members + ["\"k\(repeated)\":0"]).joined(separator: ","))}"
                #expect(throws: JSONError.self) { try parse(text) }
            }
        }
    }

    @Test func tellsNamesOfDifferentNormalisationApart() throws {
        let object = try #require(try parse("{\"\u{E9}\":1,\"e\u{301}\":2}").objectValue)
        #expect(object["\u{E9}"] == .number("1"))
        #expect(object["e\u{301}"] == .number("2"))
    }

    @Test func givesOnlyWhatIsThere() throws {
        #expect(try parse("\"a\"").stringValue == "a")
        #expect(try parse("true").boolValue == true)
        #expect(try parse("[1]").arrayValue == [.number("1")])
        #expect(try parse("null").isNull)
        for text in ["1.5", "1e3", "\"1\"", "null", "9223372036854775808"] {
            #expect(try parse(text).integerValue == nil)
        }
        #expect(try parse("1").stringValue == nil)
        #expect(try parse("1").boolValue == nil)
        #expect(try parse("{}").arrayValue == nil)
        #expect(try parse("[]").objectValue == nil)
    }

    @Test func comparesAndHashesDeeply() throws {
        let value = try parse(#"{"a":[1,{"b":"c"}],"d":true}"#)
        let same = try parse(#" {"a" : [ 1, {"b":"\u0063"}], "d":true}"#)
        #expect(value == same)
        #expect(value.hashValue == same.hashValue)
        #expect(try value != parse(#"{"d":true,"a":[1,{"b":"c"}]}"#))
        #expect(try parse("1.0") != parse("1"))
    }

    @Test func survivesRoundTripsOfRandomValues() throws {
        var generator = SeededRandom(seed: 20_261_120)
        for _ in 0..<2000 {
            let value = randomValue(depth: 5, &generator)
            let bytes = value.serialized()
            let back = try JSONValue.parse(bytes)
            #expect(back == value)
            #expect(back.serialized() == bytes)
        }
    }

    @Test func neverCrashesOnRandomBytes() {
        var generator = SeededRandom(seed: 4)
        let alphabet = Array("{}[]\",:\\u0dD8x19.eE+-truefalsn \n\u{E9}".utf8) + [0xFF, 0x00, 0xC0, 0xED, 0xF4]
        var accepted = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            guard let value = try? JSONValue.parse(bytes) else { continue }
            accepted += 1
            #expect((try? JSONValue.parse(value.serialized())) == value)
        }
        #expect(accepted > 0)
    }

    private func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue.parse(Array(text.utf8))
    }

    private func randomValue(depth: Int, _ generator: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(String(Int64.random(in: .min ... .max, using: &generator)))
        case 3: return .number("-0.\(UInt8.random(in: 0...255, using: &generator))E-7")
        case 4: return .string(randomText(&generator))
        case 5, 6:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in randomValue(depth: depth - 1, &generator) })
        default:
            let count = Int.random(in: 0...4, using: &generator)
            return .object(
                JSONObject(
                    (0..<count).map { ("\($0)" + randomText(&generator), randomValue(depth: depth - 1, &generator)) }))
        }
    }

    private func randomText(_ generator: inout SeededRandom) -> String {
        let pool: [String] = [
            "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "ß", "😀", "\u{2028}", "\u{10FFFF}", "12345678",
        ]
        let count = Int.random(in: 0...12, using: &generator)
        return (0..<count).map { _ in pool.randomElement(using: &generator) ?? "" }.joined()
    }
}
