// SPDX-License-Identifier: MIT
#include "base/row_find.h"

#include <string.h>

int32_t row_find(const void *rows, size_t count, size_t size, const char *name)
{
    if (!name)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const char *own;
        memcpy(&own, (const uint8_t *)rows + i * size, sizeof own);
        if (strcmp(own, name) == 0)
            return (int32_t)i;
    }
    return -1;
}
