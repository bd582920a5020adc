#pragma once
#include <stddef.h>
#include <stdint.h>
// What the runtimes of Swift and C++ say about mangled names. Both return memory for `free`, or null.

// Exported by libswiftCore, and used by Swift's own crash reports; `flags` is 0.
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

// Itanium C++ ABI, section 3.4.
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);
