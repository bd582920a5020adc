import Testing

@testable import HTTPWire

@Suite struct QueryItemsTests {
    private static func items(_ query: String) -> [String]? {
        withBytes(query) { QueryItems($0) }?.items.map { "\($0.name)=\($0.value)" }
    }

    @Test(arguments: [
        ("", []),
        ("a=1", ["a=1"]),
        ("a=1&b=2&a=3", ["a=1", "b=2", "a=3"]),
        ("a", ["a="]),
        ("a=", ["a="]),
        ("=1", ["=1"]),
        ("&&a=1&&", ["a=1"]),
        ("a=1=2", ["a=1=2"]),
        ("a=b+c%2Bd", ["a=b c+d"]),
        ("q=caf%C3%A9%20%F0%9F%8D%95", ["q=caf\u{E9} \u{1F355}"]),
        ("%61=%26%3D", ["a=&="]),
        ("a=1;b=2", ["a=1;b=2"]),
        ("p=12.34&d=2024-02-29", ["p=12.34", "d=2024-02-29"]),
    ])
    func readsMembersInOrder(_ query: String, _ items: [String]) {
        #expect(Self.items(query) == items)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "%=a", "a=%00", "a=%FF", "a=%C3", "a=%ED%A0%80", "a=%C0%AF", "a=1&b=%"])
    func refusesWhatCannotBeDecoded(_ query: String) {
        #expect(Self.items(query) == nil)
    }

    @Test func findsTheFirstOfAName() throws {
        let items = try #require(withBytes("a=1&b=2&a=3") { QueryItems($0) })
        #expect(items["a"] == "1")
        #expect(items["b"] == "2")
        #expect(items["A"] == nil)
    }
}
