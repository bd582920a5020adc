#include <sqlite3.h>

/// Makes "text" in double quotes always an identifier: by default SQLite takes a misspelt identifier for a string.
/// Wraps sqlite3_db_config, which is variadic and cannot be called from Swift.
static inline void sqlite3_refuse_texts_in_double_quotes(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
