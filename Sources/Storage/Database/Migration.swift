import Crypto

/// One numbered step of a schema.
package struct Migration: Sendable, Equatable {
    /// Counted from 1 without gaps.
    package let number: Int
    /// What the step does, in a few words joined by hyphens.
    package let slug: String
    /// One or more statements, run in one transaction.
    package let sql: String
    /// SHA-256 of ``sql`` in UTF-8, in lower-case hexadecimal. It tells an edited migration from the released one.
    package let checksum: String

    package init(number: Int, slug: String, sql: String, checksum: String) {
        self.number = number
        self.slug = slug
        self.sql = sql
        self.checksum = checksum
    }

    /// Computes the checksum.
    package init(number: Int, slug: String, sql: String) {
        self.init(number: number, slug: slug, sql: sql, checksum: Self.checksum(of: sql))
    }

    package static func checksum(of sql: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(SHA256.hash(data: Array(sql.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// How far the schema of one store is.
package struct MigrationStatus: Sendable, Equatable {
    /// A migration as the store remembers it.
    package struct Applied: Sendable, Equatable {
        package let number: Int
        package let slug: String
        package let checksum: String
        /// As it was given to the migrator: RFC 3339, UTC.
        package let appliedAt: String
    }

    /// In the order of their numbers.
    package let applied: [Applied]
    /// In the order in which they will be applied.
    package let pending: [Migration]

    package var isUpToDate: Bool { pending.isEmpty }
}

/// Why a store was not migrated. Only ``failed(number:slug:statement:cause:)`` and
/// ``forbiddenStatement(number:slug:statement:keyword:)`` can come after other migrations of the same call were
/// applied.
package enum MigrationError: Error, Sendable, Equatable {
    /// The program's own list is not 1, 2, 3, …; `number` stands where another one was due.
    case invalidList(number: Int)
    /// The store has a migration that this program does not know. It was written by a newer one.
    case storeFromTheFuture(number: Int, slug: String)
    /// There are tables and no migration among them: another program's database.
    case foreignStore
    /// The store has a later migration but not this one.
    case missingInStore(number: Int)
    /// The migration was applied with another text than this program has.
    case checksumMismatch(number: Int, slug: String)
    /// The copy that goes before a migration could not be written.
    case snapshotFailed(number: Int, cause: SQLError)
    /// A statement that no migration may hold, for example COMMIT. Statements are counted from 1.
    case forbiddenStatement(number: Int, slug: String, statement: Int, keyword: String)
    /// The store is as it was before this migration. Statements are counted from 1; 0 is the check before the commit.
    case failed(number: Int, slug: String, statement: Int, cause: SQLError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidList(let number):
            "the program's migrations are not numbered 1, 2, 3, …: \(number) is out of order"
        case .storeFromTheFuture(let number, let slug):
            "the store has migration \(number) (\(slug)), which this program does not know; use a newer program"
        case .foreignStore: "it is a database of another program; nothing was written"
        case .missingInStore(let number):
            "the store has migrations after \(number) but not \(number) itself"
        case .checksumMismatch(let number, let slug):
            "migration \(number) (\(slug)) was applied with another text than this program has"
        case .snapshotFailed(let number, let cause):
            "no copy of the store could be made before migration \(number): \(cause)"
        case .forbiddenStatement(let number, let slug, let statement, let keyword):
            "migration \(number) (\(slug)), statement \(statement): \(keyword) is not allowed in a migration"
        case .failed(let number, let slug, let statement, let cause):
            "migration \(number) (\(slug)) failed at statement \(statement) and was rolled back: \(cause)"
        }
    }
}
