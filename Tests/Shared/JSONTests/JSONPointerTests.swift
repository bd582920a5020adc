import JSONWire
import Testing

@Suite struct JSONPointerTests {
    @Test func namesMembersAndElements() {
        #expect(JSONPointer.root.text == "#")
        #expect(JSONPointer.root.member("items").element(0).member("name").text == "#/items/0/name")
    }

    @Test(arguments: [("a~b", "#/a~0b"), ("a/b", "#/a~1b"), ("é", "#/%C3%A9"), ("a b\"", "#/a%20b%22"), ("", "#/")])
    func escapesWhatHasAMeaning(name: String, expected: String) {
        #expect(JSONPointer.root.member(name).text == expected)
    }

    @Test func givesBackTheBeginningOfALongName() {
        #expect(JSONPointer.root.member(String(repeating: "x", count: 1000)).text.count == 66)
        // Escapes count with their written length, and none is cut in two.
        #expect(JSONPointer.root.member(String(repeating: "🎬", count: 1000)).text.utf8.count == 2 + 60)
        #expect(JSONPointer.root.member(String(repeating: "~", count: 1000)).text.utf8.count == 66)
    }
}
