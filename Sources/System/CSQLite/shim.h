#include <sqlite3.h>

/// Makes "text" between double quotes a name and nothing else: by default SQLite takes a misspelt name for a text.
/// sqlite3_db_config takes a variable number of arguments, which Swift cannot pass.
static inline void sqlite3_refuse_texts_in_double_quotes(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
