// SPDX-License-Identifier: MIT
/// The table of flags, and what it has in common with the tables of definitions.
#include "base/def_fields.h"
#include "cli/option_table.h"
#include "testing.h"

static const struct {
    const def_table *table;
    size_t offset;
} defs[] = {{&shot_table, offsetof(options, shot)},
            {&load_table, offsetof(options, load)},
            {&encode_table, offsetof(options, encode)}};

/// The fields that no flag sets by itself.
static const struct {
    const def_table *table;
    const char *name, *why;
} without[] = {
    {&shot_table, "fps_denominator", "--fps"},
    {&shot_table, "height", "--size"},
    {&shot_table, "opaque", "formats without alpha"},
    {&shot_table, "up", "--up sets it with that of zt_load_def"},
    {&shot_table, "lights", "--lights world|camera"},
    {&shot_table, "count", "--count, or the command turntable"},
    {&shot_table, "direction", "--direction ccw|cw"},
    {&shot_table, "easing", "--easing linear|smooth"},
    {&shot_table, "thumbnail", "the command thumbnail"},
    {&load_table, "max_memory", "that of the process has a budget"},
    {&load_table, "budget", "the process"},
    {&load_table, "picture_side", "--size"},
    {&load_table, "threads", "--threads sets it with that of zt_renderer_def"},
    {&load_table, "first_person", "a key of scenes"},
    {&load_table, "no_textures", "commands that draw nothing"},
    {&load_table, "confine_scene", "--untrusted"},
    {&load_table, "message", "the program"},
    {&load_table, "message_user", "the program"},
    {&load_table, "allocator", "the program"},
    {&load_table, "cancel", "the program"},
    {&load_table, "open", "of memory"},
    {&load_table, "open_user", "of memory"},
    {&load_table, "bytes", "of memory"},
    {&load_table, "size", "of memory"},
    {&load_table, "save", "of memory"},
    {&load_table, "save_user", "of memory"},
    {&encode_table, "has_key", "the program"},
    {&encode_table, "key", "the program"},
    {&encode_table, "texts", "the program"},
    {&encode_table, "text_count", "the program"},
    {&encode_table, "settings", "the program"},
    {&encode_table, "scene_hash", "the program"},
    {&encode_table, "frame", "the program"},
    {&encode_table, "time_s", "the program"},
};

/// Flags are found by their names: the first of two would win.
Test(options, no_name_stands_twice)
{
    const option_flag *a, *b;
    for (int i = 0; (a = option_at(i)) != NULL; i++)
        for (int k = 0; k < i && (b = option_at(k)) != NULL; k++)
            cr_expect(strcmp(a->name, b->name) != 0 &&
                          (!(a->commands & b->commands) || !a->letter || a->letter != b->letter),
                      "%s", a->name);
}

static const option_flag *flag_at(size_t offset)
{
    const option_flag *flag;
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        if (flag->offset == offset)
            return flag;
    return NULL;
}

static const char *why_without(const def_table *table, const char *name)
{
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (without[i].table == table && strcmp(without[i].name, name) == 0)
            return without[i].why;
    return NULL;
}

/// A field has a flag of its name, whose range and words are those of the field, or a reason.
Test(options, every_field_has_a_flag)
{
    for (size_t i = 0; i < sizeof defs / sizeof *defs; i++) {
        for (size_t k = 0; k < defs[i].table->count; k++) {
            const def_field *field = &defs[i].table->field[k];
            const option_flag *flag = flag_at(defs[i].offset + field->offset);
            const bool excused = why_without(defs[i].table, field->name) != NULL;
            cr_expect_eq(excused, flag == NULL, "%s", field->name);
            if (!flag || field->shares_flag)
                continue;
            PRINTED(name, 40, "--%s", field->name);
            for (char *at = name; *at; at++)
                *at = *at == '_' ? '-' : *at;
            int32_t value;
            cr_expect_str_eq(flag->name, name);
            cr_expect(!(field->min < field->max) || flag->range.max == 0, "%s: two ranges", name);
            cr_expect(!field->names || flag->words == field->names, "%s: two lists", name);
            cr_expect(field->kind != DEF_WORD || (flag->kind == OPTION_NAME && !flag->words), "%s",
                      name);
            cr_expect((field->kind != DEF_WORD && field->kind != DEF_POWER) ||
                          option_word_at(flag, 0, &value),
                      "%s: no words", name);
        }
    }
}
