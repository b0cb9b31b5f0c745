// SPDX-License-Identifier: MIT
/// JSON tree -> some fifteen lines for a glance. Everything is in inspect_text().
#include "base/utf8.h"
#include "inspect/inspect.h"

#include <stdbool.h>
#include <string.h>

enum {
    DESCRIPTION = 48,
    NAME_COLUMN = 11, ///< where the text of a line begins
    LINE_WIDTH = 100,
    NOTES_MAX = 4,
    MODELS_MAX = 4
};

/// Items of one line, with ", " between them, up to LINE_WIDTH; then how many more there are.
typedef struct item_line {
    FILE *out;
    size_t column;
    uint32_t left_out;
    bool begun;
} item_line;

static const char *text_of(const json_value *object, const char *key)
{
    const json_value *value = json_get(object, key);
    return json_is(value, JSON_KIND_STRING) ? value->text : "";
}

static double number_of(const json_value *object, const char *key)
{
    return json_number(json_get(object, key));
}

static void begin_line(FILE *out, const char *name) { fprintf(out, "%-*s", NAME_COLUMN, name); }

/// 15,808
static void write_count(FILE *out, double count)
{
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length; i++)
        fprintf(out, "%s%c", i > 0 && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

/// "2 meshes"; `several` ends in the plural.
static void write_counted(FILE *out, double count, const char *one, const char *several)
{
    write_count(out, count);
    fprintf(out, " %s", count == 1 ? one : several);
}

static void write_bytes(FILE *out, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 3) {
        bytes /= 1000;
        unit++;
    }
    fprintf(out, "%.*f %s", unit > 0 && bytes < 99.95 ? 1 : 0, bytes, units[unit]);
}

static item_line begin_items(FILE *out, const char *name, uint32_t count)
{
    char head[48];
    const int length = snprintf(head, sizeof head, "%u: ", count);
    begin_line(out, name);
    fputs(head, out);
    return (item_line){.out = out, .column = NAME_COLUMN + (size_t)length};
}

/// An item is a name, and text behind it that may be empty.
static void add_item(item_line *line, const char *name, const char *behind)
{
    name = *name ? name : "(no name)";
    const size_t length = strlen(name) + strlen(behind) + 2;
    if (line->left_out > 0 || (line->begun && line->column + length + 16 > LINE_WIDTH)) {
        line->left_out++;
        return;
    }
    fputs(line->begun ? ", " : "", line->out);
    utf8_write_harmless(line->out, name);
    fputs(behind, line->out);
    line->column += length;
    line->begun = true;
}

static void end_items(const item_line *line)
{
    if (line->left_out > 0)
        fprintf(line->out, " and %u more", line->left_out);
    fputc('\n', line->out);
}

/// The texts of a list; nothing without any.
static void write_texts(FILE *out, const char *name, const json_value *list)
{
    if (json_length(list) == 0)
        return;
    item_line line = begin_items(out, name, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        add_item(&line, list->item[i]->text, "");
    end_items(&line);
}

/// The names of a list of objects; nothing without any.
static void write_names(FILE *out, const json_value *object, const char *key)
{
    const json_value *list = json_get(object, key);
    if (json_length(list) == 0)
        return;
    item_line line = begin_items(out, key, list->count);
    for (uint32_t i = 0, run; i < list->count; i += run) {
        const char *name = text_of(list->item[i], "name");
        char times[16] = "";
        for (run = 1; i + run < list->count; run++)
            if (strcmp(text_of(list->item[i + run], "name"), name) != 0)
                break;
        if (run > 1)
            snprintf(times, sizeof times, " x%u", run);
        add_item(&line, name, times);
    }
    end_items(&line);
}

// ---- Parts of a model ---------------------------------------------------------------------------

/// Three digits; what is below a thousandth of the box is 0.
static void write_coordinate(FILE *out, const char *before, double value, double largest)
{
    const bool nothing = value < largest * 1e-3 && value > -largest * 1e-3;
    fprintf(out, "%s%.3g", before, nothing ? 0.0 : value);
}

static void write_corner(FILE *out, const char *before, const double corner[3], double largest)
{
    fputs(before, out);
    for (int i = 0; i < 3; i++)
        write_coordinate(out, i ? " " : "(", corner[i], largest);
    fputc(')', out);
}

static void write_box(FILE *out, const char *name, const json_value *box)
{
    const json_value *min = json_get(box, "min"), *max = json_get(box, "max");
    double low[3], high[3], largest = 0;
    if (json_length(min) != 3 || json_length(max) != 3)
        return;
    for (size_t i = 0; i < 3; i++) {
        low[i] = json_number(json_at(min, i));
        high[i] = json_number(json_at(max, i));
        largest = high[i] - low[i] > largest ? high[i] - low[i] : largest;
    }
    begin_line(out, name);
    for (int i = 0; i < 3; i++)
        write_coordinate(out, i ? " x " : "", high[i] - low[i], largest);
    write_corner(out, " m in x, y and z, from ", low, largest);
    write_corner(out, " to ", high, largest);
    fputc('\n', out);
}

static void write_geometry(FILE *out, const json_value *model)
{
    begin_line(out, "geometry");
    write_counted(out, number_of(model, "triangles"), "triangle, ", "triangles, ");
    if (number_of(model, "lines") > 0)
        write_counted(out, number_of(model, "lines"), "line, ", "lines, ");
    if (number_of(model, "points") > 0)
        write_counted(out, number_of(model, "points"), "point, ", "points, ");
    write_counted(out, number_of(model, "vertices"), "vertex in ", "vertices in ");
    write_counted(out, json_length(json_get(model, "meshes")), "mesh, ", "meshes, ");
    write_counted(out, number_of(model, "nodes"), "node", "nodes");
    fputc('\n', out);
}

static void describe_skin(const json_value *skin, char out[DESCRIPTION])
{
    snprintf(out, DESCRIPTION, " with %.0f joints", number_of(skin, "joints"));
}

static void describe_clip(const json_value *clip, char out[DESCRIPTION])
{
    snprintf(out, DESCRIPTION, " %.3g s", number_of(clip, "duration"));
}

static void describe_texture(const json_value *texture, char out[DESCRIPTION])
{
    snprintf(out, DESCRIPTION, " %.0fx%.0f px", number_of(texture, "width"),
             number_of(texture, "height"));
}

/// Each of a list with what `describe` says of it.
static void write_items(FILE *out, const json_value *model, const char *key,
                        void (*describe)(const json_value *item, char out[DESCRIPTION]))
{
    const json_value *list = json_get(model, key);
    if (json_length(list) == 0)
        return;
    item_line line = begin_items(out, key, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        char text[DESCRIPTION];
        describe(list->item[i], text);
        add_item(&line, text_of(list->item[i], "name"), text);
    }
    end_items(&line);
}

/// Names of all meshes' targets.
static void write_morphs(FILE *out, const json_value *model)
{
    const json_value *meshes = json_get(model, "meshes");
    uint32_t count = 0;
    for (uint32_t i = 0; i < json_length(meshes); i++) {
        const json_value *morphs = json_get(meshes->item[i], "morphs");
        count += json_is_list(morphs) ? morphs->count : 0;
    }
    if (count == 0)
        return;
    item_line line = begin_items(out, "morphs", count);
    for (uint32_t i = 0; i < meshes->count; i++) {
        const json_value *morphs = json_get(meshes->item[i], "morphs");
        for (uint32_t k = 0; json_is_list(morphs) && k < morphs->count; k++)
            add_item(&line, morphs->item[k]->key, "");
    }
    end_items(&line);
}

/// Who a VRM file shows, and by whose leave.
static void write_vrm(FILE *out, const json_value *model)
{
    const json_value *vrm = json_get(model, "vrm"), *authors = json_get(vrm, "authors");
    if (!vrm)
        return;
    const char *const version = text_of(vrm, "version"), *const licence = text_of(vrm, "licence");
    begin_line(out, "vrm");
    fputs(version, out);
    if (text_of(vrm, "name")[0]) {
        fputs(", '", out);
        utf8_write_harmless(out, text_of(vrm, "name"));
        fputs("'", out);
    }
    for (uint32_t i = 0; i < json_length(authors); i++) {
        fputs(i ? ", " : " by ", out);
        utf8_write_harmless(out, authors->item[i]->text);
    }
    fputs(*version ? ", licence " : "", out);
    utf8_write_harmless(out, *licence || !*version ? licence : "not told");
    fputs(*version ? ", " : "", out);
    write_counted(out, number_of(vrm, "human_bones"), "human bone", "human bones");
    fprintf(out, ", eyes by %s\n", text_of(vrm, "gaze"));
    write_texts(out, "faces", json_get(vrm, "expressions"));
}

/// "walker.glb: glTF 2.0, 1.2 MB, by its generator"
static void write_head(FILE *out, const json_value *model)
{
    utf8_write_harmless(out, text_of(model, "file"));
    fprintf(out, ": %s", text_of(model, "format"));
    if (number_of(model, "file_size") > 0) {
        fputs(", ", out);
        write_bytes(out, number_of(model, "file_size"));
        fputs(" (", out);
        write_bytes(out, number_of(model, "memory"));
        fputs(" in memory)", out);
    }
    if (text_of(model, "generator")[0]) {
        fputs(", made by ", out);
        utf8_write_harmless(out, text_of(model, "generator"));
    }
    fputc('\n', out);
}

static void write_model(FILE *out, const json_value *model)
{
    write_head(out, model);
    write_box(out, "size", json_get(model, "rest_bounds"));
    write_box(out, "moving", json_get(model, "posed_bounds"));
    write_geometry(out, model);
    write_items(out, model, "skins", describe_skin);
    write_items(out, model, "clips", describe_clip);
    write_morphs(out, model);
    write_names(out, model, "materials");
    write_items(out, model, "textures", describe_texture);
    write_names(out, model, "cameras");
    write_names(out, model, "lights");
    write_names(out, model, "springs");
    write_vrm(out, model);
    write_texts(out, "extensions", json_get(model, "extensions_used"));
}

// ---- Scenes -------------------------------------------------------------------------------------

static void write_scene(FILE *out, const json_value *scene)
{
    const json_value *models = json_get(scene, "models");
    utf8_write_harmless(out, text_of(scene, "file"));
    fprintf(out, ": scene, %.0fx%.0f px, ", number_of(scene, "width"), number_of(scene, "height"));
    write_counted(out, number_of(scene, "frames"), "frame", "frames");
    const char *fps = text_of(scene, "fps"); // "30/1"
    const size_t length = strlen(fps);
    const bool whole = length > 2 && strcmp(fps + length - 2, "/1") == 0;
    fprintf(out, " (%.0f to %.0f) at %.*s a second\n", number_of(scene, "first_frame"),
            number_of(scene, "last_frame"), (int)(whole ? length - 2 : length), fps);
    begin_line(out, "view");
    fprintf(out, "camera %s, ", text_of(scene, "camera"));
    write_counted(out, number_of(scene, "light_count"), "light\n", "lights\n");
    write_box(out, "size", json_get(scene, "posed_bounds"));
    write_names(out, scene, "instances");
    for (uint32_t i = 0; i < json_length(models) && i < MODELS_MAX; i++) {
        begin_line(out, "model");
        write_head(out, models->item[i]);
        write_geometry(out, models->item[i]);
        write_items(out, models->item[i], "clips", describe_clip);
    }
    if (json_length(models) > MODELS_MAX)
        fprintf(out, "%-*sand %u more\n", NAME_COLUMN, "", models->count - MODELS_MAX);
}

// ---- Notes --------------------------------------------------------------------------------------

/// The lines of all models; those of the loader that repeat one of them are left out.
typedef struct note_lines {
    const char *line[NOTES_MAX];
    uint32_t count; ///< also of those beyond NOTES_MAX
} note_lines;

static void add_note(note_lines *notes, const char *text)
{
    for (uint32_t i = 0; i < notes->count && i < NOTES_MAX; i++)
        if (strstr(text, notes->line[i]))
            return;
    if (notes->count < NOTES_MAX)
        notes->line[notes->count] = text;
    notes->count++;
}

static void add_notes(note_lines *notes, const json_value *list)
{
    for (uint32_t i = 0; i < json_length(list); i++) {
        const json_value *item = list->item[i];
        add_note(notes, json_is(item, JSON_KIND_STRING) ? item->text : text_of(item, "text"));
    }
}

/// Losses of pictures, and the loader's messages.
static void write_notes(FILE *out, const json_value *tree)
{
    note_lines notes = {.count = 0};
    const json_value *models = json_get(tree, "models");
    add_notes(&notes, json_get(tree, "notes"));
    for (uint32_t i = 0; i < json_length(models); i++)
        add_notes(&notes, json_get(models->item[i], "notes"));
    const uint32_t described = notes.count;
    add_notes(&notes, json_get(tree, "messages"));
    if (described > NOTES_MAX)
        notes.count = described; // the messages say the same
    if (notes.count > 0)
        fputs("notes\n", out);
    for (uint32_t i = 0; i < notes.count && i < NOTES_MAX; i++) {
        fputs("  ", out);
        utf8_write_harmless(out, notes.line[i]);
        fputc('\n', out);
    }
    if (notes.count > NOTES_MAX)
        fprintf(out, "  and %u more (see --full)\n", notes.count - NOTES_MAX);
}

void inspect_summary(FILE *out, const json_value *tree)
{
    if (json_get(tree, "instances"))
        write_scene(out, tree);
    else
        write_model(out, tree);
    write_notes(out, tree);
}
