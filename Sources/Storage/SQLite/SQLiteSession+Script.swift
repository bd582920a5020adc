import GRDB
import GRDBSQLite

extension SQLiteSession: SchemaSession {
    /// Runs every statement of a text; SQLite itself finds where each one ends.
    ///
    /// Refuses statements that would end the transaction, leave the file, or set what belongs to ``SQLiteOptions``.
    package func runScript(_ text: String) throws {
        // SQLite would stop at a NUL in silence, as if the text ended there.
        guard !text.utf8.contains(0) else { throw ScriptError.forbidden(statement: 1, keyword: "NUL") }
        var number = 1
        do {
            let statements = try database.allStatements(sql: text)
            while let statement = try statements.next() {
                let keyword = SQLKeyword.first(of: statement.sql)
                guard !Self.forbiddenKeywords.contains(keyword) else {
                    throw ScriptError.forbidden(statement: number, keyword: keyword)
                }
                try withExtendedLifetime(statement) {
                    try SQLiteBinding.bind([], to: statement.sqliteStatement)
                    while try step(statement.sqliteStatement, context: "script") {}
                }
                number += 1
            }
        } catch let error as ScriptError {
            throw error
        } catch {
            guard let cause = SQLError.mapped(error, context: "prepare script") as? SQLError else { throw error }
            throw ScriptError.failed(statement: number, cause: cause)
        }
    }

    private static let forbiddenKeywords: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM", "PRAGMA",
    ]
}
