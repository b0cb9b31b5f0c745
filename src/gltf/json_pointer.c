// SPDX-License-Identifier: MIT
#include "gltf/json_pointer.h"

#include <stdio.h>
#include <string.h>

json_pointer json_member(const json_pointer *object, const char *key)
{
    return (json_pointer){object->value ? json_get(object->value, key) : NULL, object, key, 0};
}

json_pointer json_element(const json_pointer *array, size_t index)
{
    return (json_pointer){json_at(array->value, index), array, NULL, index};
}

void json_pointer_text(const json_pointer *json, char out[JSON_POINTER_SIZE])
{
    // From the buffer's end backwards. Our keys are short and the schema flat: nothing is cut.
    char text[JSON_POINTER_SIZE];
    char *at = text + sizeof text - 1;
    *at = 0;
    for (const json_pointer *p = json; p && p->parent; p = p->parent) {
        char number[24];
        snprintf(number, sizeof number, "%zu", p->index);
        const char *part = p->key ? p->key : number;
        const size_t size = strlen(part);
        if (size + 1 > (size_t)(at - text))
            break;
        at -= size;
        memcpy(at, part, size);
        *--at = '/';
    }
    memcpy(out, at, (size_t)(text + sizeof text - at));
}
