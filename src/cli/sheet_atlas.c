// SPDX-License-Identifier: MIT
/// The atlas of a sheet: the JSON of TexturePacker (hash and array), which game engines read, with
/// the durations and frame tags of Aseprite and the animations of PixiJS.
#include "cli/sheet.h"

static void write_rect(json_stream *s, const char *name, int32_t x, int32_t y, int32_t width,
                       int32_t height)
{
    json_stream_print(s, name, "{\"x\": %d, \"y\": %d, \"w\": %d, \"h\": %d}", x, y, width, height);
}

/// A bracket in a line of its own.
static void end_lines(json_stream *s, char bracket)
{
    fputc('\n', s->out);
    json_stream_close(s, bracket);
}

static void write_size(json_stream *s, const char *name, int32_t width, int32_t height)
{
    json_stream_print(s, name, "{\"w\": %d, \"h\": %d}", width, height);
}

static void write_frame(json_stream *out, const sheet *s, const sheet_cell *cell)
{
    const int32_t edge = s->o->sheet.extrude;
    const sheet_rect *kept = &cell->kept;
    const bool trimmed = kept->width != s->cell_width || kept->height != s->cell_height;
    write_rect(out, "frame", cell->slot.x + edge, cell->slot.y + edge, kept->width, kept->height);
    json_stream_bool(out, "rotated", false);
    json_stream_bool(out, "trimmed", trimmed);
    write_rect(out, "spriteSourceSize", kept->x, kept->y, kept->width, kept->height);
    write_size(out, "sourceSize", s->cell_width, s->cell_height);
    json_stream_print(out, "pivot", "{\"x\": %.6f, \"y\": %.6f}", cell->pivot[0] / s->cell_width,
                      cell->pivot[1] / s->cell_height);
    JSON_STREAM_INTEGERS(out, {"duration", cell->duration_ms});
    if (!cell->image.rgba8)
        json_stream_bool(out, "missing", true);
}

static void write_frames(json_stream *out, const sheet *s)
{
    const bool array = s->o->sheet.atlas_array;
    json_stream_line(out);
    json_stream_open(out, "frames", array ? '[' : '{');
    for (int32_t i = 0; i < s->count; i++) {
        const char *name = s->cells[i].name;
        json_stream_line(out);
        json_stream_open(out, array ? NULL : name, '{');
        if (array)
            json_stream_text(out, "filename", name);
        write_frame(out, s, &s->cells[i]);
        json_stream_close(out, '}');
    }
    end_lines(out, array ? ']' : '}');
}

/// The frames of each clip and direction in order.
static void write_animations(json_stream *out, const sheet *s)
{
    json_stream_line(out);
    json_stream_open(out, "animations", '{');
    for (int32_t r = 0; r < s->run_count; r++) {
        const sheet_run *run = &s->runs[r];
        json_stream_line(out);
        json_stream_open(out, run->name, '[');
        for (int32_t f = 0; f < run->count; f++)
            json_stream_text(out, NULL, s->cells[run->first + f].name);
        json_stream_close(out, ']');
    }
    end_lines(out, '}');
}

static void write_tags(json_stream *out, const sheet *s)
{
    json_stream_line(out);
    json_stream_open(out, "frameTags", '[');
    for (int32_t r = 0; r < s->run_count; r++) {
        const sheet_run *run = &s->runs[r];
        json_stream_line(out);
        json_stream_open(out, NULL, '{');
        json_stream_text(out, "name", run->name);
        JSON_STREAM_INTEGERS(out, {"from", run->first}, {"to", run->first + run->count - 1});
        json_stream_text(out, "direction", "forward");
        json_stream_close(out, '}');
    }
    end_lines(out, ']');
}

void sheet_write_planes(json_stream *out, const sheet *s, bool folders)
{
    if (s->file_count < 2)
        return;
    json_stream_open(out, "planes", '{');
    for (int32_t i = 1; i < s->file_count; i++)
        json_stream_text(out, s->files[i].kind->name,
                         folders ? s->files[i].path : path_name(s->files[i].path));
    json_stream_close(out, '}');
}

void sheet_write_atlas(const sheet *s, const char *image_name, FILE *file)
{
    json_stream out = {.out = file, .spaced = true};
    json_stream_open(&out, NULL, '{');
    write_frames(&out, s);
    if (s->animated)
        write_animations(&out, s);
    json_stream_line(&out);
    json_stream_open(&out, "meta", '{');
    json_stream_text(&out, "app", "zoetrope");
    json_stream_text(&out, "version", zt_version());
    json_stream_text(&out, "image", image_name);
    sheet_write_planes(&out, s, false);
    json_stream_text(&out, "format", "RGBA8888");
    write_size(&out, "size", s->width, s->height);
    json_stream_text(&out, "scale", "1");
    if (s->animated)
        write_tags(&out, s);
    json_stream_close(&out, '}');
    end_lines(&out, '}');
    fputc('\n', file);
}
