package import JSONWire
package import SubGuardContract
package import SubGuardDomain

/// The result of an import, or what it would have been.
package struct CatalogueImportReport: Sendable, Hashable {
    /// A row with errors.
    package struct FailedRow: Sendable, Hashable {
        /// The row's place in the file.
        package let number: Int
        /// Its faults, within ``FaultList/maximumFaults`` of the whole file; at least one.
        package let errors: [Fault]
    }

    /// Rows of the file.
    package var rows = 0
    package var inserted = 0
    package var updated = 0
    /// Rows equal to the catalogue.
    package var unchanged = 0
    /// The first failed rows in the order of the file, until together they have ``FaultList/maximumFaults`` faults.
    package private(set) var failed: [FailedRow] = []
    /// Number of failed rows. If there is one, nothing was written, unless bad rows were to be skipped.
    package private(set) var failedCount = 0
    /// Faults that ``failed`` does not name.
    package private(set) var omittedErrors = 0
    /// Whether the changes were written: no row failed or bad rows were skipped, and it was not a dry run.
    package var isApplied = false

    package init() {}

    /// Counts a failed row and keeps its faults while there is room.
    mutating func note(_ number: Int, _ errors: FaultList) {
        failedCount += 1
        let room = FaultList.maximumFaults - failed.reduce(0) { $0 + $1.errors.count }
        let kept = Array(errors.prefix(room))
        if !kept.isEmpty { failed.append(FailedRow(number: number, errors: kept)) }
        omittedErrors += errors.total - kept.count
    }
}

/// One row of an import file: an item by its slug, or its faults.
package struct CatalogueImportRow: Sendable {
    package enum Content: Sendable {
        /// Fields that it does not name are kept where the item exists.
        case item(NewCatalogueItem)
        /// The faults of its fields.
        case unreadable(FaultList)
    }

    /// Its place in the file for people: a line number, or an index counted from 1.
    package let number: Int
    /// Its place in the file for programs: a JSON pointer such as `#/items/1`, or `#/line/3` of a text.
    package let pointer: String
    package let content: Content

    package init(number: Int, pointer: String = "#", content: Content) {
        self.number = number
        self.pointer = pointer
        self.content = content
    }

    /// Reads the members of a row.
    ///
    /// - Parameter maximumFaults: how many faults are kept; the others are counted.
    package init(number: Int, _ object: JSONObject, at pointer: JSONPointer, maximumFaults: Int) {
        do throws(FaultList) {
            let reading = WireReading(at: pointer, maximumFaults: maximumFaults)
            self.init(number: number, pointer: pointer.text, content: .item(try NewCatalogueItem(object, reading)))
        } catch {
            self.init(number: number, pointer: pointer.text, content: .unreadable(error))
        }
    }

    /// A row that has one fault as a whole.
    package init(number: Int, at pointer: JSONPointer, maximumFaults: Int, _ code: FaultCode, _ detail: String) {
        var errors = FaultList(limit: maximumFaults)
        errors.note(Fault(pointer.text, code, detail))
        self.init(number: number, pointer: pointer.text, content: .unreadable(errors))
    }
}
