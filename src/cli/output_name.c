// SPDX-License-Identifier: MIT
#include "cli/output_name.h"

#include "base/model_names.h"
#include "base/path.h"
#include "cli/option_value.h"

#include <stdio.h>
#include <string.h>

const zt_picture_format *format_named(const char *name)
{
    const zt_picture_format *format = NULL;
    for (int32_t i = 0; (format = zt_picture_format_at(i)) != NULL; i++)
        if (strcmp(format->name, name) == 0)
            break;
    return format;
}

static bool names_format(const char *path, const zt_picture_format *format)
{
    return (format->suffix && has_suffix(path, format->suffix)) ||
           (format->other_suffix && has_suffix(path, format->other_suffix));
}

const zt_picture_format *format_of(const options *o, const char *path)
{
    const zt_picture_format *format = NULL;
    if (o->encode.format)
        return format_named(o->encode.format);
    for (int32_t i = 0; path && (format = zt_picture_format_at(i)) != NULL; i++)
        if (names_format(path, format))
            return format;
    return zt_picture_format_at(0);
}

bool names_video(const char *path) { return has_suffix(path, ".mp4") || has_suffix(path, ".webm"); }

zt_result check_picture_name(const char *path, bool single, zt_error *err)
{
    const zt_picture_format *format = NULL;
    char suffixes[96] = "";
    size_t length = 0;
    for (int32_t i = 0; (format = zt_picture_format_at(i)) != NULL; i++) {
        if (single && (format->stream || format->light))
            continue;
        if (names_format(path, format))
            return ZT_OK;
        if (format->suffix && length < sizeof suffixes)
            length += (size_t)snprintf(suffixes + length, sizeof suffixes - length, "%s, ",
                                       format->suffix);
    }
    return usage_error(err, "output '%.200s' (expected a name that ends in %s%sor DIR/ or -)", path,
                       suffixes, single ? "" : ".mp4, .webm, ");
}

void stem_of(const char *path, char *out, size_t size)
{
    const char *name = strcmp(path, "-") == 0 ? "stdin" : path_name(path);
    snprintf(out, size, "%.*s", (int)path_stem_length(name), name);
}

/// A stem is no pattern: "model##2" is written model\#\#2. A field in braces has no escape and
/// becomes "_frame" or "_plane".
static void escape_pattern(const char *stem, char *out)
{
    for (; *stem; stem++) {
        if (*stem == '#' || *stem == '%')
            *out++ = *stem == '#' ? '\\' : '%';
        const bool field = strncmp(stem, "{frame", 6) == 0 || strncmp(stem, "{plane", 6) == 0;
        *out++ = field ? '_' : *stem;
    }
    *out = 0;
}

static bool makes_frames(const options *o)
{
    return o->command == COMMAND_RENDER || o->command == COMMAND_TURNTABLE;
}

static bool is_folder_name(const char *path)
{
    const char *name = path_name(path);
    return path[0] && (!name[0] || strcmp(name, ".") == 0 || strcmp(name, "..") == 0);
}

/// True for a last name that the command would not read: of two names the second one is no model of
/// thumbnail and convert, and no picture of a sheet of one model.
static bool last_is_output(const options *o)
{
    const char *last = o->input_count > 1 ? o->inputs[o->input_count - 1] : NULL;
    const bool second = o->input_count == 2;
    if (!last || is_folder_name(last) || o->command == COMMAND_CONVERT)
        return last != NULL;
    if (o->command == COMMAND_SHEET && has_suffix(last, ".png"))
        return second && !has_suffix(o->inputs[0], ".png");
    return (second && o->command == COMMAND_THUMBNAIL) ||
           !(model_mime_type(last) || is_scene_name(last));
}

bool names_frame(const char *path)
{
    char zero[sizeof((options *)0)->output_path], one[sizeof zero];
    return zt_frame_path(path, 0, true, zero, sizeof zero, NULL) == ZT_OK &&
           zt_frame_path(path, 1, true, one, sizeof one, NULL) == ZT_OK && strcmp(zero, one) != 0;
}

/// True for a bare model in a format of stills, without a word about frames.
static bool is_one_picture(const options *o)
{
    const bool film = format_of(o, o->output)->stream ||
                      (o->output && !o->encode.format && names_video(o->output));
    return o->command == COMMAND_RENDER && o->input_count > 0 && !is_scene_name(o->inputs[0]) &&
           !o->shot.frames && o->sequence.shard_count == 0 && !film && !o->names_frames;
}

/// A name by the input, in the folder that was given or the current one.
static zt_result choose_name(options *o, zt_error *err)
{
    char stem[256], name[2 * sizeof stem];
    const zt_picture_format *format = format_of(o, NULL);
    const char *folder = o->output ? o->output : "", *number = "", *plane = "", *suffix = ".glb";
    stem_of(o->input_count > 1 ? "sheet" : o->inputs[0], stem, sizeof stem); // others take one
    snprintf(name, sizeof name, "%s", stem);
    if (o->command == COMMAND_SHEET)
        suffix = ".png";
    if (makes_frames(o)) {
        escape_pattern(stem, name);
        suffix = format->suffix ? format->suffix : "";
        number = format->stream || o->one_picture ? "" : "-####";
        plane = o->sequence.planes && !format->light ? "-{plane}" : "";
    }
    const bool slash = folder[0] && folder[strlen(folder) - 1] != '/';
    const int length = snprintf(o->output_path, sizeof o->output_path, "%s%s%s%s%s%s", folder,
                                slash ? "/" : "", name, plane, number, suffix);
    o->output = o->output_path;
    return length < (int)sizeof o->output_path
               ? ZT_OK
               : usage_error(err, "a path that is too long: %.60s", o->output_path);
}

zt_result output_find(options *o, zt_error *err)
{
    const bool batch = o->outdir || o->freedesktop;
    if (!makes_frames(o) && o->command != COMMAND_THUMBNAIL && o->command != COMMAND_SHEET &&
        o->command != COMMAND_CONVERT)
        return ZT_OK;
    if (batch && o->output)
        return usage_error(err, "-o with %s (expected one of them)",
                           o->outdir ? "--outdir" : "--freedesktop");
    if (!batch && !o->output && last_is_output(o))
        o->output = o->inputs[--o->input_count];
    const bool folder = o->output && is_folder_name(o->output);
    if (folder && o->command == COMMAND_THUMBNAIL) {
        o->outdir = o->output;
        o->output = NULL;
        return ZT_OK;
    }
    o->names_frames = makes_frames(o) && o->output && names_frame(o->output);
    o->one_picture = is_one_picture(o);
    const bool chosen = folder || (makes_frames(o) && !o->output);
    return chosen && o->input_count > 0 ? choose_name(o, err) : ZT_OK;
}
