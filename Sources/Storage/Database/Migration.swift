import Cryptography

/// One numbered step of a schema.
package struct Migration: Sendable, Equatable {
    /// Counted from 1 without gaps.
    package let number: Int
    /// A few words joined by hyphens that describe the step.
    package let slug: String
    /// One or more statements, run in one transaction.
    package let sql: String
    /// SHA-256 of ``sql`` in UTF-8, in lower-case hexadecimal. Detects an edited migration.
    package let checksum: String
    /// Programs that know the migrations up to this number may run on the schema after this step. The step's own number
    /// if its SQL does not begin with a declaration such as `-- Oldest reader: 32`: then no older program may.
    package let oldestReader: Int

    package init(number: Int, slug: String, sql: String, checksum: String) {
        self.number = number
        self.slug = slug
        self.sql = sql
        self.checksum = checksum
        oldestReader = Self.declaredReader(in: sql) ?? number
    }

    /// Computes the checksum.
    package init(number: Int, slug: String, sql: String) {
        self.init(number: number, slug: slug, sql: sql, checksum: Self.checksum(of: sql))
    }

    /// The number that the first line declares; nil for any other line.
    package static func declaredReader(in sql: String) -> Int? {
        let mark = "-- Oldest reader: "
        guard sql.hasPrefix(mark) else { return nil }
        return Int(sql.dropFirst(mark.count).prefix { $0 != "\n" })
    }

    package static func checksum(of sql: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(SHA256.hash(of: sql.utf8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The state of a database's schema.
package struct MigrationStatus: Sendable, Equatable {
    /// An applied migration as recorded in the database.
    package struct Applied: Sendable, Equatable {
        package let number: Int
        package let slug: String
        package let checksum: String
        /// The time passed to the migrator: RFC 3339, UTC.
        package let appliedAt: String
        /// ``Migration/oldestReader``; nil if a program that did not know it applied the migration.
        package let oldestReader: Int?
    }

    /// Ordered by number.
    package let applied: [Applied]
    /// In the order of application.
    package let pending: [Migration]
    /// Applied ones that this program does not know, and that let it run. Empty unless ``Migrator/acceptsNewer``.
    package let newer: [Applied]

    package var isUpToDate: Bool { pending.isEmpty }
}

/// Why a database was not migrated. Only ``failed(number:slug:statement:cause:)`` and
/// ``forbiddenStatement(number:slug:statement:keyword:)`` can occur after other migrations of the same call were
/// applied.
package enum MigrationError: Error, Sendable, Equatable {
    /// The program's own list is not 1, 2, 3, …; `number` is the first one out of order.
    case invalidList(number: Int)
    /// The database has a migration that this program does not know, from a newer version, and that does not let it
    /// run.
    case storeFromTheFuture(number: Int, slug: String)
    /// A build before 0.1.0 made the database. `advice` is ``Migrator/adviceForEarlierBuilds``.
    case earlierBuild(advice: String)
    /// There are tables but no migrations: another program's database.
    case foreignStore
    /// The database has a later migration but not this one.
    case missingInStore(number: Int)
    /// The SQL of an applied migration differs from this program's.
    case checksumMismatch(number: Int, slug: String)
    /// The copy before a migration could not be written.
    case snapshotFailed(number: Int, cause: SQLError)
    /// A statement that no migration may contain, such as COMMIT. Statements are counted from 1.
    case forbiddenStatement(number: Int, slug: String, statement: Int, keyword: String)
    /// The migration was rolled back. Statements are counted from 1; 0 is the check before the commit.
    case failed(number: Int, slug: String, statement: Int, cause: SQLError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidList(let number):
            "the program's migrations are not numbered 1, 2, 3, …: \(number) is out of order"
        case .storeFromTheFuture(let number, let slug):
            "the store has migration \(number) (\(slug)), which this program does not know; use a newer program"
        case .earlierBuild(let advice):
            """
            the database was made by a build before 0.1.0, which this program cannot read; nothing was written. \
            \(advice)
            """
        case .foreignStore: "it is a database of another program; nothing was written"
        case .missingInStore(let number):
            "the store has migrations after \(number) but not \(number) itself"
        case .checksumMismatch(let number, let slug):
            "migration \(number) (\(slug)) was applied with different SQL than in this program"
        case .snapshotFailed(let number, let cause):
            "no copy of the store could be made before migration \(number): \(cause)"
        case .forbiddenStatement(let number, let slug, let statement, let keyword):
            "migration \(number) (\(slug)), statement \(statement): \(keyword) is not allowed in a migration"
        case .failed(let number, let slug, let statement, let cause):
            "migration \(number) (\(slug)) failed at statement \(statement) and was rolled back: \(cause)"
        }
    }
}
