// SPDX-License-Identifier: MIT
/// See suite_commands.h.
#include "suite/suite_commands.h"

#include "report/shell_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

/// The shortest of two texts that reads as the same number; NaN: not given.
static void add_number(shell_words *c, const char *flag, double value)
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
    shell_words c = {0};
    shell_word(&c, "zoetrope");
    shell_word(&c, "render");
    shell_path(&c, shot->file);
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
