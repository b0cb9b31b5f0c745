// SPDX-License-Identifier: MIT
/// ZIP archives of stored files, for readers of packages.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PACKAGE_BYTES = 1 << 17 };

typedef struct package {
    uint8_t bytes[PACKAGE_BYTES], list[2048];
    size_t size, list_size;
    uint32_t count;
} package;

/// The caller sees to it that all fits.
void package_add(package *p, const char *name, const void *bytes, size_t size);
static inline void package_add_text(package *p, const char *name, const char *text)
{
    package_add(p, name, text, strlen(text));
}

/// Ends the archive, which bytes[size] are then.
void package_finish(package *p);
