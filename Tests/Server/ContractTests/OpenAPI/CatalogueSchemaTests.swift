import Foundation
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct CatalogueSchemaTests {
    @Test func writesWhatTheDocumentRequires() throws {
        let schema = try OpenAPIFile().schema("CatalogueFields")
        let item = CatalogueItem(
            id: UUID(), name: "Netflix", slug: "netflix", category: "streaming",
            typicalAmount: Money(minorUnits: 1234, currency: .eur), billingCycle: .monthly, website: nil, logoURL: nil,
            cancelURL: nil, noticeDays: nil, aliases: [], updatedAt: UTCInstant(millisecondsSinceEpoch: 0), revision: 1)
        var writer = JSONWriter()
        item.write(to: &writer)
        let written = try JSONValue.parse(writer.bytes)
        let names = written.objectValue?.members.map(\.name)
        #expect(names == schema["required"]?.strings)
        #expect(names == schema["properties"]?.objectValue?.members.map(\.name))
    }
}
