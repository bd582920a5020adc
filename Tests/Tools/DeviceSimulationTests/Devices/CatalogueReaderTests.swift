import Testing
import ZlibCoding

@testable import DeviceSimulation

@Suite struct CatalogueReaderTests {
    private static let path = "/api/v1/catalogue?limit=500"

    private func read(_ text: String, _ reader: inout CatalogueReader) throws -> ReceivedPage {
        try reader.read(Array(text.utf8), isCompressed: false, path: Self.path)
    }

    @Test func readsItemsDeletionsAndWhereItGoesOn() throws {
        var reader = CatalogueReader()
        let text =
            #"{"items":[{"id":"a","name":"Ciné \"Séries\" 🎬"},{"id":"b"}],"deleted":[{"id":"c","merged_into":"a"}],"#
            + #""next_cursor":null,"sync_token":"t"}"#
        let page = ReceivedPage(ids: ["a", "b"], deleted: ["c"], nextCursor: nil, syncToken: "t")
        #expect(try read(text, &reader) == page)
        #expect(try read(text, &reader) == page)
        let packed = try #require(Gzip.compress(Array(text.utf8)))
        #expect(try reader.read(packed, isCompressed: true, path: Self.path) == page)
    }

    @Test func aPageThatHasChangedIsReadAnew() throws {
        var reader = CatalogueReader()
        #expect(try read(#"{"items":[{"id":"a"}],"sync_token":"1"}"#, &reader).ids == ["a"])
        #expect(try read(#"{"items":[{"id":"b"}],"sync_token":"1"}"#, &reader).ids == ["b"])
    }

    @Test(arguments: ["", "[]", "{}", #"{"items":[{"name":"x"}]}"#, #"{"items":[],"deleted":[{}]}"#, #"{"items":[]"#])
    func whatIsNoPageIsNoPage(_ text: String) {
        var reader = CatalogueReader()
        #expect(throws: CatalogueReader.Unreadable.self) { try read(text, &reader) }
    }

    @Test func whatIsNotCompressedIsNotTakenForIt() {
        var reader = CatalogueReader()
        #expect(throws: CatalogueReader.Unreadable.self) {
            try reader.read(Array(#"{"items":[]}"#.utf8), isCompressed: true, path: Self.path)
        }
    }
}
