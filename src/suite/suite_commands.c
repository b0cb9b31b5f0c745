// SPDX-License-Identifier: MIT
#include "base/def_fields.h"
#include "report/shell_words.h"
#include "suite/suite_shot.h"

#include <stdarg.h>
#include <stdio.h>

static void add_text(shell_words *c, const char *flag, const char *value)
{
    if (!value)
        return;
    shell_word(c, flag);
    shell_word(c, value);
}

static void ZT_PRINTF(3, 4) add_format(shell_words *c, const char *flag, const char *format, ...)
{
    char value[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    add_text(c, flag, value);
}

/// The flags of the fields that are set, with their values.
static void add_fields(shell_words *c, const def_table *table, const void *def)
{
    for (size_t i = 0; i < table->count; i++) {
        const def_field *field = &table->field[i];
        char flag[40] = "--", text[40];
        snprintf(flag + 2, sizeof flag - 2, "%s", field->name);
        for (char *at = flag + 2; *at; at++)
            *at = *at == '_' ? '-' : *at;
        if (field->kind == DEF_BOOL && !field->names && def_is_set(field, def))
            shell_word(c, flag);
        else if (!field->shares_flag)
            add_text(c, flag, def_value_text(field, def, text));
    }
}

const char *suite_render_command(const suite_shot *shot, int64_t frame, comparison_list *texts)
{
    const zt_shot_def *s = &shot->shot;
    shell_words c = {0};
    shell_word(&c, "zoetrope");
    shell_word(&c, "render");
    shell_path(&c, shot->file);
    add_format(&c, "--frames", "%lld", (long long)frame);
    if (s->width > 0)
        add_format(&c, "--size", "%dx%d", s->width, s->height);
    if (s->fps_numerator > 0)
        add_format(&c, "--fps", "%d/%d", s->fps_numerator, s->fps_denominator);
    add_fields(&c, &load_table, &shot->load);
    add_fields(&c, &shot_table, s);
    shell_word(&c, "-o");
    shell_path(&c, shot->picture_path);
    return shell_line(&c, texts);
}

const char *suite_accept_command(const suite *s, const suite_shot *shot, comparison_list *texts)
{
    shell_words c = {0};
    shell_word(&c, "zoetrope");
    shell_word(&c, "test");
    shell_path(&c, s->path);
    shell_word(&c, "--update");
    shell_word(&c, shot->name);
    return shell_line(&c, texts);
}
