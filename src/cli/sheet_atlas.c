// SPDX-License-Identifier: MIT
/// The atlas of a sheet: the JSON of TexturePacker (hash and array), which game engines read, with
/// the durations and frame tags of Aseprite and the animations of PixiJS.
#include "cli/console.h"
#include "cli/sheet.h"

#include <string.h>

static void write_rect(FILE *out, const char *name, int32_t x, int32_t y, int32_t width,
                       int32_t height)
{
    fprintf(out, "\"%s\": {\"x\": %d, \"y\": %d, \"w\": %d, \"h\": %d}, ", name, x, y, width,
            height);
}

static void write_frame(const sheet *s, const sheet_cell *cell, FILE *out)
{
    const int32_t edge = s->o->sheet.extrude;
    const sheet_rect *kept = &cell->kept;
    const bool trimmed = kept->width != s->cell_width || kept->height != s->cell_height;
    write_rect(out, "frame", cell->slot.x + edge, cell->slot.y + edge, kept->width, kept->height);
    fprintf(out, "\"rotated\": false, \"trimmed\": %s, ", trimmed ? "true" : "false");
    write_rect(out, "spriteSourceSize", kept->x, kept->y, kept->width, kept->height);
    fprintf(out, "\"sourceSize\": {\"w\": %d, \"h\": %d}, ", s->cell_width, s->cell_height);
    fprintf(out, "\"pivot\": {\"x\": %.6f, \"y\": %.6f}, \"duration\": %d%s}",
            cell->pivot[0] / s->cell_width, cell->pivot[1] / s->cell_height, cell->duration_ms,
            cell->image.rgba8 ? "" : ", \"missing\": true");
}

static void write_frames(const sheet *s, FILE *out)
{
    const bool array = s->o->sheet.atlas_array;
    fprintf(out, "{\n\"frames\": %s\n", array ? "[" : "{");
    for (int32_t i = 0; i < s->count; i++) {
        fprintf(out, array ? "{\"filename\": " : "");
        report_json_text(out, s->cells[i].name);
        fprintf(out, array ? ", " : ": {");
        write_frame(s, &s->cells[i], out);
        fprintf(out, "%s\n", i + 1 < s->count ? "," : "");
    }
    fprintf(out, "%s,\n", array ? "]" : "}");
}

/// The frames of each clip and direction in order.
static void write_animations(const sheet *s, FILE *out)
{
    fprintf(out, "\"animations\": {\n");
    for (int32_t r = 0; r < s->run_count; r++) {
        const sheet_run *run = &s->runs[r];
        report_json_text(out, run->name);
        fprintf(out, ": [");
        for (int32_t f = 0; f < run->count; f++) {
            fprintf(out, f > 0 ? ", " : "");
            report_json_text(out, s->cells[run->first + f].name);
        }
        fprintf(out, "]%s\n", r + 1 < s->run_count ? "," : "");
    }
    fprintf(out, "},\n");
}

static void write_tags(const sheet *s, FILE *out)
{
    fprintf(out, ",\n\"frameTags\": [\n");
    for (int32_t r = 0; r < s->run_count; r++) {
        const sheet_run *run = &s->runs[r];
        fprintf(out, "{\"name\": ");
        report_json_text(out, run->name);
        fprintf(out, ", \"from\": %d, \"to\": %d, \"direction\": \"forward\"}%s\n", run->first,
                run->first + run->count - 1, r + 1 < s->run_count ? "," : "");
    }
    fprintf(out, "]");
}

void sheet_write_atlas(const sheet *s, const char *image_name, FILE *out)
{
    write_frames(s, out);
    if (s->animated)
        write_animations(s, out);
    fprintf(out, "\"meta\": {\"app\": \"zoetrope\", \"version\": ");
    report_json_text(out, zt_version());
    fprintf(out, ", \"image\": ");
    report_json_text(out, image_name);
    fprintf(out, ", \"format\": \"RGBA8888\", \"size\": {\"w\": %d, \"h\": %d}, \"scale\": \"1\"",
            s->width, s->height);
    if (s->animated)
        write_tags(s, out);
    fprintf(out, "}\n}\n");
}
