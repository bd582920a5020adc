package import SQLDatabase

extension PostgresStore: SchemaStore {
    /// Holds the lock of all writers, so that ten servers that start together migrate once. Statements have no time
    /// limit, but wait for a table in use only a moment: every later query of that table waits behind them.
    package func alterSchema<Result>(
        lockTimeout: Duration, _ body: (any SchemaSession) throws -> Result
    ) throws -> Result {
        let settings =
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; "
            + "SET LOCAL lock_timeout = \(lockTimeout.wholeMilliseconds)"
        return try transaction(
            "BEGIN ISOLATION LEVEL READ COMMITTED; \(settings); \(SQLWriteLane.general.lock); "
                + "SET LOCAL lock_timeout = \(Self.longestWaitForTable.wholeMilliseconds)", context: "migrate",
            isPatient: true, body)
    }

    private static let longestWaitForTable = Duration.seconds(2)

    /// Backups of a PostgreSQL database are the administrator's task.
    package func keepCopy(beforeMigration number: Int) throws {}
}

extension PostgresSession: SchemaSession {
    /// Runs the statements one by one, so that an error identifies its statement.
    package func runScript(_ text: String) throws {
        guard !text.utf8.contains(0) else { throw ScriptError.forbidden(statement: 1, keyword: "NUL") }
        for (index, statement) in PostgresScript.statements(of: text).enumerated() {
            let keyword = SQLKeyword.first(of: statement)
            guard !Self.forbiddenKeywords.contains(keyword) else {
                throw ScriptError.forbidden(statement: index + 1, keyword: keyword)
            }
            do {
                try connection.run(statement, context: "script")
            } catch let cause as SQLError {
                throw ScriptError.failed(statement: index + 1, cause: cause)
            }
        }
    }

    private static let forbiddenKeywords: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE", "VACUUM", "SET",
        "RESET",
        "DISCARD", "COPY",
    ]
}

/// Splits a script into statements.
enum PostgresScript {
    /// Splits at each `;` outside of quotes, dollar-quoted strings and comments; skips parts without a word.
    static func statements(of text: String) -> [String] {
        var statements: [String] = []
        var start = text.startIndex
        var place = start
        func isAt(_ mark: String) -> Bool { text[place...].hasPrefix(mark) }
        func skip(past mark: String) {
            place = text[place...].firstRange(of: mark)?.upperBound ?? text.endIndex
        }
        func finish() {
            let statement = String(text[start..<place])
            if !SQLKeyword.first(of: statement).isEmpty { statements.append(statement) }
        }
        while place < text.endIndex {
            let character = text[place]
            if isAt("--") {
                skip(past: "\n")
            } else if isAt("/*") {
                skip(past: "*/")
            } else if character == "'" || character == "\"" {
                place = text.index(after: place)
                skip(past: String(character))
            } else if character == "$", let tag = text[place...].prefixMatch(of: /\$[A-Za-z_]*\$/)?.output {
                place = text.index(place, offsetBy: tag.count)
                skip(past: String(tag))
            } else {
                place = text.index(after: place)
                guard character == ";" else { continue }
                finish()
                start = place
            }
        }
        finish()
        return statements
    }
}
