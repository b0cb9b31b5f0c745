// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/letter_form.h"
#include "base/nearest_name.h"
#include "suite/suite.h"

int64_t suite_find(const suite *s, const char *name)
{
    return (int64_t)*hash_table_text(&s->names, &s->shots->name, sizeof *s->shots, name) - 1;
}

const char *suite_nearest(const suite *s, const char *name)
{
    name_list list = {.word = name};
    for (uint32_t i = 0; i < s->shot_count; i++) {
        if (letters_are_same(s->shots[i].name, name, strlen(name), false))
            return s->shots[i].name;
        name_list_add(&list, s->shots[i].name);
    }
    return nearest_name(name, list.name, list.count);
}
