import Catalogue
import Foundation
import SubGuardContract
import SubGuardDomain
import TestKit

/// `Config/catalogue.csv` of this repository.
enum StarterCatalogue {
    static let path = RepositoryFile.url("Config/catalogue.csv").path

    static func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// The lines of the file, its header first. No field of it holds a line break.
    static func lines() throws -> [String] {
        String(decoding: try bytes(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func drafts(_ bytes: [UInt8]) throws -> [CatalogueDraft] {
        try CatalogueCSV.parse(bytes).map { row in
            guard case .item(let item) = row.content else { throw Unreadable(row: row.number) }
            return item.draft()
        }
    }

    struct Unreadable: Error { let row: Int }
}
