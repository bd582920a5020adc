package import Foundation
package import SubGuardDomain

/// One row of a file to import: an item by its slug, or what is wrong with it.
package struct CatalogueImportRow: Sendable, Hashable {
    /// A field that a file may leave out.
    package enum OptionalField: Sendable, Hashable, CaseIterable {
        case website
        case cancelURL
        case noticeDays
        case aliases
    }

    package enum Content: Sendable, Hashable {
        case draft(CatalogueDraft)
        /// The fields that could not be read.
        case unreadable(FaultList)
    }

    /// Where it stands in the file, for people: a line of text, or a place in a list counted from 1.
    package let number: Int
    /// Where it stands in the file, for programs: a JSON pointer such as `#/items/1`, or `#/line/3` of a text.
    package let pointer: String
    package let content: Content
    /// Fields that the file does not speak of: an item that exists keeps them.
    package let keptFields: Set<OptionalField>
    /// The id that a new item gets; nil lets one be made. An item that exists keeps its own.
    package let id: UUID?

    package init(
        number: Int, pointer: String = "#", content: Content, keptFields: Set<OptionalField> = [], id: UUID? = nil
    ) {
        self.number = number
        self.pointer = pointer
        self.id = id
        self.content = content
        self.keptFields = keptFields
    }

    /// The draft, with the fields that the file does not speak of taken from the item that exists.
    static func completed(
        _ draft: CatalogueDraft, keeping keptFields: Set<OptionalField>, from item: CatalogueItem
    ) -> CatalogueDraft {
        var draft = draft
        if keptFields.contains(.website) { draft.website = item.website }
        if keptFields.contains(.cancelURL) { draft.cancelURL = item.cancelURL }
        if keptFields.contains(.noticeDays) { draft.noticeDays = item.noticeDays }
        if keptFields.contains(.aliases) { draft.aliases = item.aliases }
        return draft
    }
}
