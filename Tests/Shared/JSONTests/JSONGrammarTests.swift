import JSONWire
import Testing

/// What RFC 8259 accepts and rejects, both through `JSONValue` and through skipping.
@Suite struct JSONGrammarTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "7", "-12.34", "0.5", "1e9", "1E+9", "1e-9", "0e0", "-0.0e-0",
        "123456789012345678901234567890",
        #""""#, #""x""#, "[]", "{}", "[ ]", "{ }", " \t\r\n[ 1 , 2 ]\n", #"{"a":1,"b":[true,null]}"#, #"{"":0}"#,
        "[[[]]]", "[{},[],{}]",
        #""\"\\\/\b\f\n\r\t""#, #""é""#, #""\uD83D\uDE00""#, "\"é😀\u{2028}\u{2029}\u{10FFFF}\u{7F}\"", #""\u0000""#,
        #""\uFFFF""#, #""\uabCD""#,
        #"{"a":1,"A":2}"#, "[1,\n2]", #"["]","}"]"#, "\"\u{FEFF}\"",
    ])
    func acceptsWellFormedText(_ text: String) throws {
        let bytes = Array(text.utf8)
        _ = try JSONValue.parse(bytes)
        try skim(bytes)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "+1", "01", "-01", "00", "-", ".5", "5.",
        "1.e3", "1e", "1e+", "0x10",
        "1_000", "--1", "1.2.3", "1e5.5", "- 1", "１", "'a'", "\"", "\"a", #""\"#, #""\x41""#, #""\u12""#, #""\u12G4""#,
        #""\U0041""#, #""\'""#,
        #""\uD800""#, #""\uDC00""#, #""\uD800x""#, #""\uD800A""#, #""\uD800\uD800""#, #""\uDE00\uD83D""#,
        #""\uD83D\n""#, #""\uD83D\"#,
        "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]",
        "[1;2]", "[1}", "[,]",
        "{", "}", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{"a" 1}"#, "{a:1}",
        "{1:1}", #"{"a"::1}"#,
        #"{"a":1,,"b":2}"#, #"{null:1}"#, "1 2", "[] []", "{} x", "nullnull", "\"a\"\"b\"", "[1]]", "// c\n1", "/**/1",
        "#1", "\u{FEFF}1", "\u{FEFF}",
        "\u{A0}1", "1\u{2003}", "1\u{0}", "\u{C}1", "\u{B}1", "[\u{A0}]", "tru", "t", "fals", "-a", "@",
    ])
    func rejectsMalformedText(_ text: String) {
        expectRefused(Array(text.utf8))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xC3, 0x28], [0xE0, 0x80, 0xAF],
            [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x90, 0x28, 0xBC], [0xF0, 0x90, 0x8D], [0xF0, 0x90, 0x8D, 0x28], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xE9],
        ] as [[UInt8]])
    func rejectsInvalidUTF8InAnyPlace(_ sequence: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for padding in 0...9 {
            let content = Array(repeating: UInt8(ascii: "x"), count: padding) + sequence
            expectRefused([quote] + content + [quote])
            expectRefused([quote] + content + Array("xxxxxxxxxx\"".utf8))
            expectRefused(Array("{\"".utf8) + content + Array("\":1}".utf8))
        }
        expectRefused(sequence)
    }

    @Test func acceptsEveryScalarAsItIsAndEscaped() throws {
        for value: UInt32 in stride(from: 0x20, through: 0x10FFFF, by: 97) {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            let text = String(scalar)
            #expect(try JSONValue.parse(Array("\"\(text)\"".utf8)).stringValue == text)
            let escaped = text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            #expect(try JSONValue.parse(Array("\"\(escaped.joined())\"".utf8)).stringValue == text)
        }
    }

    @Test func rejectsUTF16AndUTF32() {
        expectRefused([0xFF, 0xFE, 0x31, 0x00])
        expectRefused([0x00, 0x31])
        expectRefused([0x31, 0x00])
    }

    @Test func rejectsEveryPrefixOfADocument() throws {
        let document = Array(#" {"é\n\uD83D\uDE00":[-12.34e+5,true,null,"12345678 ß"],"b":{"c":[[],{}]}}"#.utf8)
        _ = try JSONValue.parse(document)
        for length in 0..<document.count { expectRefused(Array(document[..<length])) }
    }

    @Test func survivesEveryByteAtEveryPlace() throws {
        let document = Array(#"{"a\u00e9":[1.5e3,"xyz😀",false],"b":null}"#.utf8)
        for index in document.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = document
                changed[index] = byte
                // Both methods agree on whether the text is well formed.
                #expect(((try? JSONValue.parse(changed)) != nil) == ((try? skim(changed)) != nil), "\(index) \(byte)")
            }
        }
    }

    @Test func limitsNesting() throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            func nested(_ depth: Int) -> [UInt8] {
                let inner = open == "[" ? "" : "1"
                return Array(
                    (String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
            }
            _ = try JSONValue.parse(nested(64))
            try skim(nested(64))
            #expect(reason(nested(65)) == .tooDeep)
            #expect(reason(nested(100_000)) == .tooDeep)
            _ = try JSONValue.parse(nested(3), maximumDepth: 3)
            #expect(reason(nested(4), maximumDepth: 3) == .tooDeep)
        }
        #expect(reason(Array("[]".utf8), maximumDepth: 0) == .tooDeep)
        // Siblings do not add to the depth.
        _ = try JSONValue.parse(Array("[[],[],[],[[]]]".utf8), maximumDepth: 3)
    }

    private func expectRefused(_ bytes: [UInt8]) {
        let shown = String(decoding: bytes, as: UTF8.self)
        #expect(throws: JSONError.self, "\(shown)") { try JSONValue.parse(bytes) }
        #expect(throws: JSONError.self, "\(shown)") { try skim(bytes) }
    }

    private func skim(_ bytes: [UInt8]) throws(JSONError) {
        try JSONReader.read(bytes) { reader throws(JSONError) in
            try reader.skipValue()
            try reader.finish()
        }
    }

    private func reason(_ bytes: [UInt8], maximumDepth: Int = 64) -> JSONError.Reason? {
        do throws(JSONError) {
            _ = try JSONValue.parse(bytes, maximumDepth: maximumDepth)
            return nil
        } catch {
            return error.reason
        }
    }
}
