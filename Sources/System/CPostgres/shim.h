#pragma once
// PostgreSQL's client library.
#include <libpq-fe.h>
