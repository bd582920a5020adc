#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main function, for which the toolchain has no header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
