package import Foundation
package import SubGuardDomain

/// What an import did, or, where nothing was written, would have done.
package struct CatalogueImportReport: Sendable, Hashable {
    /// A row that cannot be imported.
    package struct FailedRow: Sendable, Hashable {
        /// The row's place in the file.
        package let number: Int
        /// Its faults, as many as fit ``FaultList/maximumFaults`` of the whole file; at least one.
        package let errors: [Fault]
    }

    /// Rows of the file.
    package var rows = 0
    package var inserted = 0
    package var updated = 0
    /// Rows that say what the catalogue says already.
    package var unchanged = 0
    /// The first rows that failed, in the order of the file, until together they have ``FaultList/maximumFaults``
    /// faults.
    package private(set) var failed: [FailedRow] = []
    /// All rows that failed. When there is one, nothing was written, unless bad rows were to be skipped.
    package private(set) var failedCount = 0
    /// Faults that ``failed`` does not name.
    package private(set) var omittedErrors = 0
    /// Whether the changes are in the store: no row failed or bad rows were to be skipped, and it was no dry run.
    package var isApplied = false

    package init() {}

    /// Counts a row that failed, and keeps its faults while there is room.
    mutating func note(_ number: Int, _ errors: FaultList) {
        failedCount += 1
        let room = FaultList.maximumFaults - failed.reduce(0) { $0 + $1.errors.count }
        let kept = Array(errors.prefix(room))
        if !kept.isEmpty { failed.append(FailedRow(number: number, errors: kept)) }
        omittedErrors += errors.total - kept.count
    }
}

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
