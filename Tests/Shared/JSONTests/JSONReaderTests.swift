import JSONWire
import Testing

@Suite struct JSONReaderTests {
    @Test func walksThroughAnObject() throws {
        let text = #" { "id" : 7 , "tags" : [ "a" , "b\n" ] , "ok" : true , "none" : null , "x" : {"y":[1]} } "#
        var seen: [String] = []
        try read(text) { reader throws in
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "id": seen.append("id=\(try reader.readInteger())")
                case "tags":
                    try reader.beginArray()
                    while try reader.nextElement() { seen.append(try reader.readString()) }
                case "ok": seen.append("ok=\(try reader.readBool())")
                case "none": try reader.readNull()
                default:
                    seen.append(key.string)
                    try reader.skipValue()
                }
            }
            #expect(reader.depth == 0)
            try reader.finish()
        }
        #expect(seen == ["id=7", "a", "b\n", "ok=true", "x"])
    }

    @Test func peeksWithoutReading() throws {
        let kinds: [(String, JSONReader.Kind)] = [
            ("{", .object), ("[", .array), ("\"", .string), ("-", .number), ("9", .number), ("t", .bool), ("f", .bool),
            ("n", .null),
        ]
        for (text, kind) in kinds {
            try read("  " + text) { reader throws in
                #expect(try reader.peek() == kind)
                #expect(try reader.peek() == kind)
                #expect(reader.position == 2)
            }
        }
    }

    @Test func goesOnBehindAnElementThatMeansNothing() throws {
        let text = #"[{"n":1},{"n":"one","deep":[{"a":[]}]},{"n":3},5,{"n":1.5},{"n":99999999999999999999},{"n":4}]"#
        var good: [Int64] = []
        var bad: [Int] = []
        try read(text) { reader throws in
            try reader.beginArray()
            var index = 0
            while try reader.nextElement() {
                let bookmark = reader
                do throws(JSONError) {
                    try reader.beginObject()
                    while let key = try reader.nextKey() {
                        if key == "n" { good.append(try reader.readInteger()) } else { try reader.skipValue() }
                    }
                } catch {
                    #expect(error.isMismatch)
                    bad.append(index)
                    reader = bookmark
                    try reader.skipValue()
                }
                index += 1
            }
            try reader.finish()
        }
        #expect(good == [1, 3, 4])
        #expect(bad == [1, 3, 4, 5])
    }

    @Test func standsBeforeAMismatchedValue() throws {
        try read(#"["a", 1.5, 9223372036854775808, {}]"#) { reader throws in
            try reader.beginArray()
            while try reader.nextElement() {
                _ = try reader.peek()
                let start = reader.position
                #expect(throws: JSONError.self) { try reader.readInteger() }
                #expect(reader.position == start)
                try reader.skipValue()
            }
            try reader.finish()
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("-42", -42), ("9223372036854775807", .max),
            ("-9223372036854775808", .min),
        ] as [(String, Int64)])
    func readsExactIntegers(_ text: String, _ value: Int64) throws {
        #expect(try read(text) { try $0.readInteger() } == value)
        #expect(try JSONValue.parse(Array(text.utf8)).integerValue == value)
    }

    @Test(
        arguments: [
            ("9223372036854775808", .integerOutOfRange), ("-9223372036854775809", .integerOutOfRange),
            ("18446744073709551616", .integerOutOfRange), ("100000000000000000000", .integerOutOfRange),
            ("1.0", .notAnInteger),
            ("1e2", .notAnInteger), ("100000000000000000000.5", .notAnInteger), ("-0.0", .notAnInteger),
            ("01", .invalidNumber),
            ("\"1\"", .wrongKind(expected: .number, found: .string)),
            ("null", .wrongKind(expected: .number, found: .null)),
        ] as [(String, JSONError.Reason)])
    func refusesOtherNumbersAsIntegers(_ text: String, _ reason: JSONError.Reason) throws {
        let error = #expect(throws: JSONError.self) { try read(text) { try $0.readInteger() } }
        #expect(error?.reason == reason)
        let value = try? JSONValue.parse(Array(text.utf8))
        #expect(value?.integerValue == nil)
    }

    @Test func keepsNumbersAsWritten() throws {
        #expect(try read(" -12.340e+05 ") { try $0.readNumberText() } == "-12.340e+05")
    }

    @Test func handsOutPlainStringsWithoutACopy() throws {
        try read(#"["plain é", "es\tcaped", "\u006eame"]"#) { reader throws in
            try reader.beginArray()
            #expect(try reader.nextElement())
            let plain = try reader.readRawString()
            #expect(!plain.hasEscapes)
            #expect(plain == "plain é")
            #expect(try reader.nextElement())
            let escaped = try reader.readRawString()
            #expect(escaped.hasEscapes)
            #expect(escaped.string == "es\tcaped")
            #expect(escaped.withDecodedBytes { Array($0) } == Array("es\tcaped".utf8))
            #expect(try reader.nextElement())
            #expect(try reader.readRawString() == "name")
            #expect(try !reader.nextElement())
        }
    }

    @Test func comparesNamesByteForByte() throws {
        try read("\"\u{E9}\"") { reader throws in
            let text = try reader.readRawString()
            #expect(text == "\u{E9}")
            #expect(!text.equals("e\u{301}"))
            #expect(!text.equals(""))
        }
    }

    @Test func leavesWhatFollowsToFinish() throws {
        try read("1 \n x") { reader throws in
            #expect(try reader.readInteger() == 1)
            let error = #expect(throws: JSONError.self) { try reader.finish() }
            #expect(error == JSONError(offset: 4, reason: .trailingContent))
        }
    }

    @Test(
        arguments: [
            ("[1,}", 3, .unexpectedByte), ("{\"a\":tru}", 8, .unexpectedByte), ("\"ab\u{1}\"", 3, .controlCharacter),
            ("[\"\\uD800\"]", 2, .loneSurrogate), ("[\"a\\q\"]", 3, .invalidEscape), ("\u{FEFF}{}", 0, .byteOrderMark),
            ("{\"a\":1, \"a\":2}", 8, .duplicateName), ("[1, 02]", 4, .invalidNumber), ("[\"abc", 5, .unexpectedEnd),
            ("[1]x", 3, .trailingContent),
        ] as [(String, Int, JSONError.Reason)])
    func namesTheByte(_ text: String, _ offset: Int, _ reason: JSONError.Reason) {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8)) }
        #expect(error == JSONError(offset: offset, reason: reason))
        #expect(error?.message.isEmpty == false)
    }

    @Test(arguments: [
        (#"\uD800"#, "\u{FFFD}"), (#"a\udfffb"#, "a\u{FFFD}b"), (#"\uD800\uD83D\uDE00"#, "\u{FFFD}😀"),
        (#"\uD83D\n\uDE00"#, "\u{FFFD}\n\u{FFFD}"), (#"\uDE00\uD83D"#, "\u{FFFD}\u{FFFD}"),
        (#"\uD83Dx\u00e9"#, "\u{FFFD}xé"), (#"\\\uD83D\\uDE00"#, "\\\u{FFFD}\\uDE00"), (#"\uD83D\uDE00"#, "😀"),
    ])
    func replacesLoneSurrogatesIfAsked(_ text: String, _ read: String) throws {
        let json = Array(#"{"a":"\#(text)","\#(text)":[]}"#.utf8)
        let value = try JSONValue.parse(json, replacesLoneSurrogates: true)
        #expect(value["a"]?.stringValue == read)
        #expect(value[read]?.arrayValue == [])
        try JSONReader.read(json, replacesLoneSurrogates: true) { reader throws in
            try reader.skipValue()
            try reader.finish()
        }
        guard read.contains("\u{FFFD}") else { return }
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(json) }
        #expect(error?.reason == .loneSurrogate)
    }

    @Test func findsOtherFaultsBesideLoneSurrogates() {
        for text in [#""\uD800\u12""#, #""\uD800\q""#, #""\uD800"#, #""\uD800\u"#, #""\uD800\"#] {
            let error = #expect(throws: JSONError.self) {
                try JSONValue.parse(Array(text.utf8), replacesLoneSurrogates: true)
            }
            #expect(error?.reason == (text.hasSuffix("\"") ? .invalidEscape : .unexpectedEnd))
        }
    }

    /// Comparing a text sorts its runs of marks, in the square of their length.
    @Test func boundsRunsOfMarksAndFlags() throws {
        let fits = "Z" + String(repeating: "\u{301}", count: 128) + String(repeating: "\u{323}", count: 127)
        let many = fits + "\u{301}"
        let zalgo = String(repeating: fits, count: 3) + String(repeating: "日本語😀é", count: 300)
        let escaped = String(repeating: #"\u0301"#, count: 256)
        let flags = String(repeating: "🇫🇷", count: 32)
        let escapedFlags = String(repeating: #"\ud83c\udde6"#, count: 65)
        for text in [fits, zalgo, flags] {
            #expect(
                try JSONValue.parse(Array("[\"\(text)\"]".utf8)).arrayValue?.first?.stringValue?.utf8.count
                    == text.utf8.count)
        }
        for text in [
            "[\"\(many)\"]", "{\"\(many)\":1}", "[\"\(escaped)\"]", "[\"a\(many)b\"]", "[\"\(flags)🇫🇷\"]",
            "{\"\(flags)\u{1F1E6}\":1}", "[\"\(escapedFlags)\"]",
        ] {
            let error = #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8)) }
            #expect(error?.reason == .longRun)
        }
    }

    @discardableResult
    private func read<T>(_ text: String, _ body: (inout JSONReader) throws -> T) throws -> T {
        try JSONReader.read(Array(text.utf8)) { reader in try body(&reader) }
    }
}
