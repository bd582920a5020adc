import JSONWire
import Testing

@Suite struct JSONMembersTests {
    private func read(_ text: String) throws -> [String] {
        var found: [String] = []
        try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
            try reader.readMembers(["a", "b"]) { index, key, reader throws(JSONError) in
                let value = try reader.readScalar()
                found.append("\(index.map(String.init) ?? "-") \(key.string) \(value)")
                return key.string != "stop"
            }
        }
        return found
    }

    @Test func givesEachMemberItsPlaceInTheList() throws {
        let text = #" {"b":"x","c":[{"a":1}],"\u0061":7,"d":true,"e":null} "#
        #expect(
            try read(text) == [
                #"1 b string("x")"#, "- c null", #"0 a number("7")"#, "- d bool(true)", "- e null",
            ])
        #expect(try read("{}") == [])
        #expect(try read(#"{"a":1,"stop":1,"b":}"#).count == 2)
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"b":1,"c":2,"\u0062":2}"#])
    func refusesAKnownNameThatStandsTwice(_ text: String) {
        #expect { try read(text) } throws: { ($0 as? JSONError)?.reason == .duplicateName }
        #expect((try? read(#"{"c":1,"c":2}"#))?.count == 2)
    }

    @Test func takesAsManyValuesAsItMayAndNotOneMore() throws {
        let text = Array(#"{"a":[1,{"b":null}],"c":"x"}"#.utf8)
        let whole = try JSONValue.parse(text)
        #expect(try JSONValue.parse(text, maximumValues: 6) == whole)
        for count in 0..<6 {
            #expect { try JSONValue.parse(text, maximumValues: count) } throws: {
                ($0 as? JSONError)?.reason == .tooManyValues
            }
        }
    }

    @Test func findsATwiceGivenNameAmongMany() throws {
        let names = (0..<5000).map { #""é\#($0)":1"# }.joined(separator: ",")
        #expect(try JSONValue.parse(Array("{\(names)}".utf8)).objectValue?.members.count == 5000)
        // The same letter in another Unicode normalisation is another name.
        #expect((try? JSONValue.parse(Array("{\(names),\"e\u{301}7\":1}".utf8))) != nil)
        #expect { try JSONValue.parse(Array("{\(names),\"é7\":1}".utf8)) } throws: {
            ($0 as? JSONError)?.reason == .duplicateName
        }
    }
}
