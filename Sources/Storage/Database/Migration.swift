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
