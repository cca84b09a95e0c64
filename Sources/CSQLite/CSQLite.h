#ifndef CATRACE_SQLITE_H
#define CATRACE_SQLITE_H

#include <sqlite3.h>

// What Swift can't call as it is: a macro that is a cast, and a function with a variable list of arguments.

/// Binds a copy of `count` bytes of UTF-8.
static inline int catrace_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a copy of `count` bytes.
static inline int catrace_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Closing writes nothing into the file: what is committed stays in the log beside it.
static inline int catrace_keep_log_when_closing(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
