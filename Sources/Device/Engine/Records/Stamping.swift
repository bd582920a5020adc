package import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Which timestamps the values of a change get, and so what they win against in a merge.
enum Stamping {
    /// Those of a person: later than all before.
    case edit
    /// Those of what the program writes along with an edit, such as the charges before a new start: earlier than every
    /// edit of a person, which stays wherever it was made.
    case along
    /// Those of rows whose ids every device takes from the same file: `HybridTimestamp.ofFile`. When a device read the
    /// file is in ``EntityTables/additions``.
    case file
}

extension UnitOfWork {
    /// Runs a change with the timestamps of what the program writes along with an edit. What belongs to a file that is
    /// read has those of the file.
    @discardableResult
    func along<Result>(_ body: () throws -> Result) rethrows -> Result {
        try stamping(as: stamping == .edit ? .along : stamping, body)
    }

    func stamping<Result>(as new: Stamping, _ body: () throws -> Result) rethrows -> Result {
        let former = stamping
        stamping = new
        defer { stamping = former }
        return try body()
    }

    /// Adds what a file says about a row with an id of the file, or one derived from it.
    ///
    /// All devices that read the file write the same stamps, so that a later reading takes no edit from others. That
    /// this device has read it is kept beside the row: undoing it takes nothing from a device that has read it too, or
    /// that entered the row. A row that is here is edited, and one that was withdrawn by hand is added as an edit.
    func reading<Result>(_ table: EntityTable, _ id: UUID, _ body: () throws -> Result) throws -> Result {
        let isWithdrawn = try EntityTables.withdrawals.row([.text(table.name), .uuid(id)], in: session)?.values
        guard try table.row([.uuid(id)], in: session) == nil, isWithdrawn != [.flag(true)] else {
            let result = try body()
            try noteReading(table, id)
            return result
        }
        return try stamping(as: .file) {
            let result = try body()
            if try table.row([.uuid(id)], in: session) != nil { try noteAddition(table, .uuid(id)) }
            return result
        }
    }

    /// The same for a subscription.
    package func readingSubscription(_ id: UUID, _ body: () throws -> Void) throws {
        try reading(EntityTables.subscriptions, id, body)
    }

    func stampOfNewRow() throws -> HybridTimestamp {
        let now = try stamp()
        return switch stamping {
        case .edit: now
        case .along: now.ofProgram
        case .file: .ofFile
        }
    }

    /// The stamp of a register that changes.
    ///
    /// What the program writes over the edit of a person keeps its stamp, if it wins against the former value under the
    /// same one: a later edit on another device stays. Else it is an edit of now, so that it does not return.
    func stamp(
        _ now: HybridTimestamp, over old: String, from former: ArraySlice<SQLValue>, to new: ArraySlice<SQLValue>
    ) -> HybridTimestamp {
        guard stamping != .edit, let old = old.isEmpty ? .origin : HybridTimestamp(wire: old) else { return now }
        if stamping == .file { return old <= .ofFile ? .ofFile : now }
        if old.isOfProgram { return now.ofProgram(after: old) }
        return former.map(MergeValue.init).lexicographicallyPrecedes(new.map(MergeValue.init)) ? old : now
    }
}
