// SPDX-License-Identifier: MIT
#include "json_oracle.h"

#include <jansson.h>

static char *read_and_write(const char *text, size_t size, size_t style)
{
    json_error_t problem;
    json_t *tree = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    char *out = tree ? json_dumps(tree, style | JSON_ENCODE_ANY) : NULL;
    json_decref(tree);
    return out;
}

bool json_oracle_read(const char *text, size_t size, char **out_text)
{
    *out_text = read_and_write(text, size, JSON_COMPACT);
    return *out_text != NULL;
}

char *json_oracle_lines(const char *text, size_t size)
{
    return read_and_write(text, size, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
}
