// SwiftPM takes no C target without a source file.
#include "fuzzer.h"
