// SPDX-License-Identifier: MIT
/// See suite_commands.h. Words are quoted for sh.
#include "suite/suite_commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_SIZE = 16384 };

typedef struct command_text {
    char text[COMMAND_SIZE];
    size_t length;
} command_text;

static void add_char(command_text *c, char one)
{
    if (c->length + 1 < COMMAND_SIZE)
        c->text[c->length++] = one;
    c->text[c->length] = 0;
}

/// A word behind a space, in single quotes unless every shell takes it as it is.
static void add_word(command_text *c, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./,:=+@%-";
    const bool quotes = !word[0] || word[strspn(word, plain)];
    if (c->length > 0)
        add_char(c, ' ');
    if (quotes)
        add_char(c, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            for (const char *escaped = "'\\'"; *escaped; escaped++)
                add_char(c, *escaped);
        add_char(c, *word);
    }
    if (quotes)
        add_char(c, '\'');
}

/// A path, which must not look like a flag.
static void add_path(command_text *c, const char *path)
{
    char below[4200];
    snprintf(below, sizeof below, "./%s", path);
    add_word(c, path[0] == '-' ? below : path);
}

static void add_text(command_text *c, const char *flag, const char *value)
{
    if (!value)
        return;
    add_word(c, flag);
    add_word(c, value);
}

static void ZT_PRINTF(3, 4) add_format(command_text *c, const char *flag, const char *format, ...)
{
    char value[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    add_text(c, flag, value);
}

/// The shortest of two texts that reads as the same number; NaN: not given.
static void add_number(command_text *c, const char *flag, double value)
{
    char text[40];
    if (value != value)
        return;
    snprintf(text, sizeof text, "%.9g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    add_text(c, flag, text);
}

const char *suite_render_command(const suite_shot *shot, int64_t frame, comparison_list *texts)
{
    static const char *const tone_maps[] = {"neutral", "aces", "linear", "agx"}; // as zt_tone_map
    const zt_shot_def *s = &shot->shot;
    command_text c = {0};
    add_word(&c, "zoetrope");
    add_word(&c, "render");
    add_path(&c, shot->file);
    add_format(&c, "--frames", "%lld", (long long)frame);
    if (s->width > 0)
        add_format(&c, "--size", "%dx%d", s->width, s->height);
    if (s->fps_numerator > 0)
        add_format(&c, "--fps", "%d/%d", s->fps_numerator, s->fps_denominator);
    add_number(&c, "--time", s->time_s);
    add_text(&c, "--clip", s->clip);
    add_text(&c, "--variant", shot->variant);
    if (s->samples > 0)
        add_format(&c, "--samples", "%d", s->samples);
    if (s->anisotropy > 0)
        add_format(&c, "--anisotropy", "%d", s->anisotropy);
    add_text(&c, "--background", s->background);
    if (s->tone_map >= 0)
        add_text(&c, "--tone-map", tone_maps[s->tone_map]);
    add_number(&c, "--exposure", s->exposure_ev);
    add_text(&c, "--look", s->look);
    add_text(&c, "--preset", s->preset);
    add_text(&c, "--light", s->light);
    add_text(&c, "--environment", s->environment);
    add_text(&c, "--ground", s->ground);
    add_text(&c, "--camera", s->camera);
    add_text(&c, "--view", s->view);
    add_number(&c, "--azimuth", s->azimuth_deg);
    add_number(&c, "--elevation", s->elevation_deg);
    add_number(&c, "--fov", s->fov_deg);
    add_number(&c, "--zoom", s->zoom);
    add_text(&c, "--up", s->up);
    add_word(&c, "-o");
    add_path(&c, shot->picture_path);
    return comparison_text(texts, "%s", c.text);
}

const char *suite_accept_command(const suite *s, const suite_shot *shot, comparison_list *texts)
{
    command_text c = {0};
    add_word(&c, "zoetrope");
    add_word(&c, "test");
    add_path(&c, s->path);
    add_word(&c, "--update");
    add_word(&c, shot->name);
    return comparison_text(texts, "%s", c.text);
}
