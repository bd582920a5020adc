import Catalogue
import ServerContract
import SubGuardContract
import TestKit
import Testing

@testable import Console

/// No list of fields forgets one that the contract has.
@Suite struct FieldListTests {
    @Test func formsAndFilesHaveEveryFieldOfAnItem() {
        for form in [CatalogueForms.edit, CatalogueForms.create, CatalogueForms.approve] {
            // A new item gets its id from the server.
            #expect(Set(form.fields.map(\.name)) == Set(form.declaration.inputs.map(\.name)).subtracting(["id"]))
        }
        let header = String(decoding: CatalogueCSV.write([]), as: UTF8.self).split(whereSeparator: \.isNewline)
        #expect(header.first?.split(separator: ",").map(String.init) == CatalogueForms.edit.fields.map(\.name))
    }
}
