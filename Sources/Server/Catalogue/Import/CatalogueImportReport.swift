package import JSONWire
package import SubGuardContract
package import SubGuardDomain

/// The result of an import or of a dry run.
package struct CatalogueImportReport: Sendable, Hashable {
    /// A row with errors.
    package struct FailedRow: Sendable, Hashable {
        /// The row's position in the file.
        package let number: Int
        /// The faults that fit into ``FaultList/maximumFaults`` for the whole file; at least one.
        package let errors: [Fault]
    }

    /// An item that a row creates or changes.
    package struct Change: Sendable, Hashable {
        /// The row's position in the file.
        package let number: Int
        /// Nil for a new item.
        package let before: CatalogueDraft?
        package let after: CatalogueDraft
    }

    /// Number of rows in the file.
    package var rows = 0
    package var inserted = 0
    package var updated = 0
    /// Number of rows equal to the existing item.
    package var unchanged = 0
    /// The first failed rows in file order, with at most ``FaultList/maximumFaults`` faults in total.
    package private(set) var failed: [FailedRow] = []
    /// Number of failed rows. Unless bad rows are skipped, any failed row means that nothing was written.
    package private(set) var failedCount = 0
    /// Number of faults not listed in ``failed``.
    package private(set) var omittedErrors = 0
    /// The first new and changed items in file order, ``maximumChanges`` at most. New items do not displace changed
    /// ones, whose values are lost.
    package var changes: [Change] {
        (changed + created.prefix(Self.maximumChanges - changed.count)).sorted { $0.number < $1.number }
    }
    private var changed: [Change] = []
    private var created: [Change] = []
    package static let maximumChanges = 200
    /// Whether the changes were written: not a dry run, and either no row failed or bad rows were skipped.
    package var isApplied = false
    /// Stands for all changes, and for the state of the items that they change; nil unless it was wanted.
    package internal(set) var digest: [UInt8]?
    /// Whether nothing was written because the rows would change something else than before.
    package internal(set) var isStale = false
    /// Columns of the file that are not known and were ignored.
    package var ignoredColumns: [String] = []

    package init() {}

    /// A report of counts alone.
    package init(rows: Int, inserted: Int, updated: Int, unchanged: Int, failed: Int) {
        self.rows = rows
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        failedCount = failed
    }

    /// Counts a new or changed item and keeps its values up to the limit.
    mutating func note(_ number: Int, _ before: CatalogueDraft?, becomes after: CatalogueDraft) {
        let list = before == nil ? \Self.created : \.changed
        if before == nil { inserted += 1 } else { updated += 1 }
        guard self[keyPath: list].count < Self.maximumChanges else { return }
        self[keyPath: list].append(Change(number: number, before: before, after: after))
    }

    /// Counts a failed row and keeps its faults up to the limit.
    mutating func note(_ number: Int, _ errors: FaultList) {
        failedCount += 1
        let room = FaultList.maximumFaults - failed.reduce(0) { $0 + $1.errors.count }
        let kept = Array(errors.prefix(room))
        if !kept.isEmpty { failed.append(FailedRow(number: number, errors: kept)) }
        omittedErrors += errors.total - kept.count
    }
}

/// One row of an import file: an item, or the row's faults.
package struct CatalogueImportRow: Sendable {
    package enum Content: Sendable {
        /// Omitted fields keep the values of an existing item.
        case item(NewCatalogueItem)
        /// Some fields of the existing item with the slug among them.
        case changes(slug: String, JSONObject, at: JSONPointer)
        /// The faults of its fields.
        case unreadable(FaultList)
    }

    /// Position shown to users: a line number, or an index starting at 1.
    package let number: Int
    /// Position for programs: a JSON pointer such as `#/items/1`, or `#/line/3` for text.
    package let pointer: String
    package let content: Content

    package init(number: Int, pointer: String = "#", content: Content) {
        self.number = number
        self.pointer = pointer
        self.content = content
    }

    /// Reads the members of a row.
    ///
    /// - Parameter maximumFaults: maximum number of faults kept; the others are counted.
    package init(number: Int, _ object: JSONObject, at pointer: JSONPointer, maximumFaults: Int) {
        if let slug = object["slug"]?.stringValue, !slug.isEmpty,
            Self.required.contains(where: { object[$0] == nil })
        {
            self.init(number: number, pointer: pointer.text, content: .changes(slug: slug, object, at: pointer))
            return
        }
        do throws(FaultList) {
            let reading = WireReading(at: pointer, maximumFaults: maximumFaults)
            self.init(number: number, pointer: pointer.text, content: .item(try NewCatalogueItem(object, reading)))
        } catch {
            self.init(number: number, pointer: pointer.text, content: .unreadable(error))
        }
    }

    /// What a new item must have.
    private static let required = ["name", "category", "typical_amount", "currency", "billing_cycle"]

    /// A row with one fault that concerns the whole row.
    package init(number: Int, at pointer: JSONPointer, maximumFaults: Int, _ code: FaultCode, _ detail: Sentence) {
        var errors = FaultList(limit: maximumFaults)
        errors.note(Fault(pointer.text, code, detail))
        self.init(number: number, pointer: pointer.text, content: .unreadable(errors))
    }
}
