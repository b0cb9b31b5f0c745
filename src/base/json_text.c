// SPDX-License-Identifier: MIT
#include "base/json_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

char *json_text(const json_t *value, size_t flags)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const bool written = json_dumpf(value, out, flags) == 0;
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}
