import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

/// What became of a body that describes an item, or a change of one.
struct DraftReading {
    let id: UUID?
    let draft: CatalogueDraft?
    let problems: FaultList

    /// Reads a body for a new item.
    init(new text: String) throws {
        var fields = CatalogueDraftFields(try Self.object(text), allowsID: true)
        draft = fields.draft()
        id = fields.id
        problems = fields.faults
    }

    /// Reads a body that changes this item.
    init(changing item: CatalogueItem, _ text: String) throws {
        var fields = CatalogueDraftFields(try Self.object(text), allowsID: false)
        draft = fields.draft(changing: item)
        id = fields.id
        problems = fields.faults
    }

    /// "pointer code" of each problem, sorted.
    var faults: [String] { problems.map { "\($0.pointer) \($0.code.rawValue)" }.sorted() }

    private static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
    }
}
