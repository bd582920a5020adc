/// A database whose schema a ``Migrator`` may change.
package protocol SchemaStore: SQLStore {
    /// Runs `body` in one exclusive transaction: other migrations and writers wait, up to `lockTimeout`.
    func alterSchema<Result>(lockTimeout: Duration, _ body: (any SchemaSession) throws -> Result) throws -> Result

    /// Keeps a copy of the database, inside a transaction of ``alterSchema(lockTimeout:_:)`` that has written nothing.
    /// Does nothing if others back up the database.
    func keepCopy(beforeMigration number: Int) throws

    /// Why a commit may be lost although it was promised to be on disk, also on that many standbys. Nil if it is.
    func durabilityFault(standbys: Int) throws -> DurabilityFault?

    /// Whether a pooler hands each transaction to another session of the database.
    func isPooledByTransaction() throws -> Bool

    /// The encoding of the database's texts, unless it is UTF-8.
    func foreignEncoding() throws -> String?
}

extension SchemaStore {
    package func durabilityFault(standbys: Int) throws -> DurabilityFault? { nil }

    package func isPooledByTransaction() throws -> Bool { false }

    package func foreignEncoding() throws -> String? { nil }
}

/// Writing in one transaction that may change the schema.
package protocol SchemaSession: SQLTransaction {
    /// Runs every statement of a text. Throws ``ScriptError``; rejects statements that would end the transaction or
    /// change settings of the connection.
    func runScript(_ text: String) throws
}

/// Why a script stopped. Statements are counted from 1.
package enum ScriptError: Error {
    case forbidden(statement: Int, keyword: String)
    case failed(statement: Int, cause: SQLError)
}

/// The first word of a statement, after blanks and comments.
package enum SQLKeyword {
    /// In capitals; empty if the text does not begin with a word.
    package static func first(of statement: String) -> String {
        var rest = Substring(statement)
        while let character = rest.unicodeScalars.first {
            if character.properties.isWhitespace || character == ";" || character == "\u{FEFF}" {
                rest.unicodeScalars.removeFirst()
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        return rest.prefix { $0.isASCII && $0.isLetter }.uppercased()
    }
}
