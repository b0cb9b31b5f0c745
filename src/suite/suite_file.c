// SPDX-License-Identifier: MIT
/// The reader of suite files: the tables of keys are the reference of what a suite may contain.
#include "base/color_text.h"
#include "base/def_fields.h"
#include "base/file_find.h"
#include "base/number.h"
#include "base/path.h"
#include "base/utf8.h"
#include "document/picture_value.h"
#include "scene/frame_list.h"
#include "scene/scene_value.h"
#include "suite/shot_plane.h"
#include "suite/suite.h"

#include <stdio.h>
#include <string.h>

/// The target of the reader's functions: a shot, or the values that all shots begin with.
typedef struct shot_keys {
    suite_shot shot;
    scene_frames frames; ///< of a shot each; none: it is one shot
    const document_node *criteria;
} shot_keys;

typedef struct suite_keys {
    const char *goldens, *results, *hashes;
    const document_node *defaults, *criteria, *shots;
} suite_keys;

// ---- Values of shots ----------------------------------------------------------------------------

/// A name is a part of file names: those that artifact stores and other systems refuse are refused.
static const char *name_fault(const char *name)
{
    char shown[201];
    const size_t length = strlen(name);
    if (length >= sizeof shown)
        return "more than 200 bytes";
    memcpy(shown, name, length + 1);
    utf8_make_harmless(shown);
    if (strcmp(shown, name) != 0)
        return "a control character";
    if (strchr("/.-", name[0]) || name[length - 1] == '/')
        return "a name that begins with '/', '.' or '-' or ends with '/'";
    if (strstr(name, "//") || strstr(name, "/."))
        return "a part of a name that is empty or begins with '.'";
    for (const char *c = name; *c; c++)
        if (strchr("\\:*?\"<>|#%{}", *c))
            return "a character that names of files cannot have everywhere";
    if (has_suffix(name, ".diff") || has_suffix(name, ".old"))
        return "a name that ends with .diff or .old, as pictures of differences and of other "
               "checkouts do";
    return NULL;
}

static zt_result read_name(document_reader *r, const document_node *value, void *target)
{
    suite_shot *shot = &((shot_keys *)target)->shot;
    ZT_TRY(value_text(r, value, "a name", &shot->name));
    const char *fault = name_fault(shot->name);
    return fault ? value_fail(r, value, false, "%s (expected a name such as walk/front)", fault)
                 : ZT_OK;
}

static zt_result read_frame(document_reader *r, const document_node *value, void *target)
{
    shot_keys *keys = target;
    keys->shot.has_frame = true;
    keys->frames.count = 0;
    return value_integer(r, value, -FRAME_NUMBER_LIMIT, FRAME_NUMBER_LIMIT, &keys->shot.frame);
}

static zt_result read_plane(document_reader *r, const document_node *value, void *target)
{
    suite_shot *shot = &((shot_keys *)target)->shot;
    zt_error problem = {0};
    ZT_TRY(value_text(r, value, "a plane", &shot->plane));
    return shot_plane_check(shot->plane, &problem) == ZT_OK
               ? ZT_OK
               : value_fail(r, value, false, "%s", problem.message);
}

static zt_result read_frames(document_reader *r, const document_node *value, void *target)
{
    shot_keys *keys = target;
    const char *text = NULL;
    char location[DOCUMENT_LOCATION_SIZE];
    zt_error problem = {0};
    ZT_TRY(value_text(r, value, "a list of frames like 0-60x10", &text));
    if (document_member(value->parent, "frame"))
        return value_fail(r, value, true, "frame and frames cannot be combined (expected one)");
    keys->shot.has_frame = true;
    const zt_result result = scene_parse_frames(r->scratch, text, &keys->frames, &problem);
    return result == ZT_OK
               ? ZT_OK
               : zt_fail(r->err, result == ZT_ERR_ARGUMENT ? ZT_ERR_FORMAT : result, "%s: %s",
                         document_location(r->path, value, false, location), problem.message);
}

/// [x, y, width, height], "X,Y,WxH", or a list of these.
static zt_result add_rectangles(document_reader *r, const document_node *value, rectangle_list *out)
{
    const document_node *n = value->kind == DOCUMENT_LIST ? value->first : NULL;
    char sides[64] = "";
    if (n && n->kind == DOCUMENT_NUMBER && value->count == 4) {
        snprintf(sides, sizeof sides, "%.9s,%.9s,%.9sx%.9s", n->text, n->next->text,
                 n->next->next->text, value->last->text);
    } else if (n) {
        for (; n; n = n->next)
            ZT_TRY(add_rectangles(r, n, out));
        return ZT_OK;
    }
    return number_parse_rectangles(n ? sides : value->text, out)
               ? ZT_OK
               : value_wrong(r, value, "rectangles [x, y, width, height] or X,Y,WxH, up to 64");
}

static zt_result read_ignore(document_reader *r, const document_node *value, void *target)
{
    rectangle_list *list;
    ZT_TRY(ARENA_TAKE(r->keep, &list, 1, "rectangles", r->err));
    ((shot_keys *)target)->shot.ignored = list;
    return add_rectangles(r, value, list);
}

/// By the kind of the field that the key sets, which has its name.
static zt_result read_field(document_reader *r, const document_node *value, void *target)
{
    suite_shot *shot = &((shot_keys *)target)->shot;
    const def_field *field = def_find(&shot_table, value->key);
    void *def = field ? (void *)&shot->shot : &shot->load;
    double number = 0.0;
    int64_t whole = 0;
    int32_t choice = 0;
    bool on = false;
    field = field ? field : def_find(&load_table, value->key);
    if (field->kind == DEF_WORD) {
        ZT_TRY(value_word(r, value, field->words, &choice));
        *def_text(field, def) = zt_word_at(field->words, choice);
        return ZT_OK;
    }
    if (field->names) {
        ZT_TRY(value_named(r, value, field->names, &choice));
        number = choice;
    } else if (field->kind == DEF_BOOL) {
        ZT_TRY(value_bool(r, value, &on));
        number = on;
    } else if (field->kind == DEF_INT) {
        ZT_TRY(value_integer(r, value, (int64_t)field->min, (int64_t)field->max, &whole));
        number = (double)whole;
    } else {
        ZT_TRY(value_number(r, value, field->min, field->max, &number));
    }
    def_set_number(field, def, number);
    return ZT_OK;
}

/// The text that a flag takes, or a point, which the def has as a text.
static zt_result read_flag(document_reader *r, const document_node *value, void *target)
{
    const char **text = target;
    double at[3];
    char point[96];
    if (value->kind != DOCUMENT_LIST)
        return value_text(r, value, "a text as the flag takes it, or a point [x, y, z]", text);
    ZT_TRY(value_vector(r, value, -1e9, 1e9, at));
    snprintf(point, sizeof point, "%.17g,%.17g,%.17g", at[0], at[1], at[2]);
    *text = arena_text(r->keep, point, strlen(point));
    return *text ? ZT_OK : arena_fail(r->keep, r->err, "a point");
}

/// Links are no way out of the folder of a suite that is confined to it.
static zt_result check_confined(document_reader *r, const char *folder, const char *resolved)
{
    char own[SUITE_PATH_SIZE], path[SUITE_PATH_SIZE];
    if (r->root_length == FILE_ANYWHERE)
        return ZT_OK;
    snprintf(path, sizeof path, "./%.*s", (int)r->root_length, r->path);
    if (suite_folder_resolve(r->path[0] == '/' ? path + 2 : path, own) &&
        suite_folder_below(own, resolved))
        return ZT_OK;
    return zt_fail(r->err, ZT_ERR_INPUT,
                   "%s: '%.200s' lies outside the suite's folder (expected a folder in it)",
                   r->path, folder);
}

static zt_result read_texture_dir(document_reader *r, const document_node *value, void *target)
{
    const char **folder = &((shot_keys *)target)->shot.load.texture_dir;
    char resolved[SUITE_PATH_SIZE];
    ZT_TRY(value_path(r, value, "the path of a folder", folder));
    return check_confined(r, *folder, suite_folder_resolve(*folder, resolved) ? resolved : "");
}

static zt_result read_background(document_reader *r, const document_node *value, void *target)
{
    const char *text = NULL;
    double color[3];
    ZT_TRY(value_text(r, value, "transparent, environment or a colour like \"#20242c\"", &text));
    if (strcmp(text, "transparent") != 0 && strcmp(text, "environment") != 0 &&
        !color_from_text(text, color))
        return value_wrong(r, value, "transparent, environment, " COLOR_TEXT_EXPECTED);
    ((shot_keys *)target)->shot.shot.background = text;
    return ZT_OK;
}

/// A word, or the path of a picture of light.
static zt_result read_light(document_reader *r, const document_node *value, void *target)
{
    zt_shot_def *shot = &((shot_keys *)target)->shot.shot;
    for (int32_t i = 0; zt_word_at(ZT_WORDS_LIGHT, i); i++)
        if (document_is(value, zt_word_at(ZT_WORDS_LIGHT, i))) {
            shot->light = zt_word_at(ZT_WORDS_LIGHT, i);
            return ZT_OK;
        }
    return value_path(r, value, "studio, file, none or the path of a picture", &shot->light);
}

/// `named`: an entry of the list of shots; otherwise `defaults`.
static zt_result read_shot_keys(document_reader *r, const document_node *value, bool named,
                                shot_keys *out)
{
    static const map_key keys[] = {
        KEY_READ("name", KEY_REQUIRED, read_name),
        KEY_PATH("file", KEY_OPTIONAL, shot_keys, shot.file, "the path of a scene or model"),
        KEY_NODE("criteria", KEY_OPTIONAL, shot_keys, criteria),
        KEY_READ("plane", KEY_OPTIONAL, read_plane),
        KEY_PATH("mask", KEY_OPTIONAL, shot_keys, shot.mask, "the path of a picture"),
        KEY_READ("ignore", KEY_OPTIONAL, read_ignore),
        KEY_READ("frame", KEY_OPTIONAL, read_frame),
        KEY_READ("frames", KEY_OPTIONAL, read_frames),
        KEY_READ("time", KEY_OPTIONAL, read_field),
        KEY_READ_INTO("fps", KEY_OPTIONAL, value_rate, shot_keys, shot.shot.fps_numerator),
        KEY_TEXT("clip", KEY_OPTIONAL, shot_keys, shot.shot.clip,
                 "a clip by name or index, or none"),
        KEY_TEXT("variant", KEY_OPTIONAL, shot_keys, shot.load.variant,
                 "a variant of the model's materials"),
        KEY_READ_INTO("size", KEY_OPTIONAL, value_size, shot_keys, shot.shot.width),
        KEY_READ_INTO("samples", KEY_OPTIONAL, value_step, shot_keys, shot.shot.samples),
        KEY_READ_INTO("supersample", KEY_OPTIONAL, value_step, shot_keys, shot.shot.supersample),
        KEY_READ_INTO("anisotropy", KEY_OPTIONAL, value_step, shot_keys, shot.shot.anisotropy),
        KEY_READ("quality", KEY_OPTIONAL, read_field),
        KEY_READ_INTO("light_samples", KEY_OPTIONAL, value_step, shot_keys,
                      shot.shot.light_samples),
        KEY_READ_INTO("shutter", KEY_OPTIONAL, read_flag, shot_keys, shot.shot.shutter),
        KEY_READ_INTO("subframes", KEY_OPTIONAL, read_flag, shot_keys, shot.shot.subframes),
        KEY_READ("background", KEY_OPTIONAL, read_background),
        KEY_READ("tone_map", KEY_OPTIONAL, read_field),
        KEY_READ("exposure", KEY_OPTIONAL, read_field),
        KEY_READ("look", KEY_OPTIONAL, read_field),
        KEY_READ("space", KEY_OPTIONAL, read_field),
        KEY_READ("preset", KEY_OPTIONAL, read_field),
        KEY_READ("light", KEY_OPTIONAL, read_light),
        KEY_PATH("environment", KEY_OPTIONAL, shot_keys, shot.shot.environment,
                 "the path of a picture of light"),
        KEY_READ("lights", KEY_OPTIONAL, read_field),
        KEY_READ("ground", KEY_OPTIONAL, read_field),
        KEY_TEXT("ground_height", KEY_OPTIONAL, shot_keys, shot.shot.ground_height,
                 "auto, rest, shot, or a height in metres"),
        KEY_TEXT("camera", KEY_OPTIONAL, shot_keys, shot.shot.camera,
                 "a camera of the model by name or index"),
        KEY_READ("view", KEY_OPTIONAL, read_field),
        KEY_READ("azimuth", KEY_OPTIONAL, read_field),
        KEY_READ("elevation", KEY_OPTIONAL, read_field),
        KEY_READ_INTO("look_at", KEY_OPTIONAL, read_flag, shot_keys, shot.shot.look_at),
        KEY_READ_INTO("aperture", KEY_OPTIONAL, read_flag, shot_keys, shot.shot.aperture),
        KEY_READ_INTO("focus", KEY_OPTIONAL, read_flag, shot_keys, shot.shot.focus),
        KEY_READ("blades", KEY_OPTIONAL, read_field),
        KEY_READ("margin", KEY_OPTIONAL, read_field),
        KEY_READ("ortho", KEY_OPTIONAL, read_field),
        KEY_READ("directions", KEY_OPTIONAL, read_field),
        KEY_READ("fov", KEY_OPTIONAL, read_field),
        KEY_READ("zoom", KEY_OPTIONAL, read_field),
        KEY_READ("up", KEY_OPTIONAL, read_field),
        KEY_READ("unit", KEY_OPTIONAL, read_field),
        KEY_READ("texture_dir", KEY_OPTIONAL, read_texture_dir),
        KEY_READ("package_picture", KEY_OPTIONAL, read_field),
        KEY_READ_INTO("color", KEY_OPTIONAL, value_color_text, shot_keys, shot.load.color),
    };
    enum { OF_SHOTS_ONLY = 1 }; // the name
    return named ? value_map(r, value, "shot", keys, COUNT_OF(keys), out)
                 : value_map(r, value, "defaults", keys + OF_SHOTS_ONLY,
                             COUNT_OF(keys) - OF_SHOTS_ONLY, out);
}

// ---- Criteria -----------------------------------------------------------------------------------

typedef struct criteria_keys {
    comparison_criteria c;
    int64_t max_diff, pixels, threshold;
    bool covered;
    suite_object object; ///< without a name: none
} criteria_keys;

/// The key is the kind.
static zt_result read_object(document_reader *r, const document_node *value, void *target)
{
    criteria_keys *found = target;
    char place[DOCUMENT_LOCATION_SIZE];
    if (found->object.name || found->covered)
        return value_fail(r, value, true, "%s with another object or 'of: covered'", value->key);
    while (strcmp(comparison_kind_names[found->object.kind], value->key) != 0)
        found->object.kind++;
    document_location(r->path, value, false, place);
    ZT_TRY(ARENA_TEXT(r->keep, &found->object.place, place, "criteria", r->err));
    return value_text(r, value, "a name", &found->object.name);
}

/// A map of the criteria: they replace all that *out has for the same pixels.
static zt_result read_entry(document_reader *r, const document_node *value, suite_shot *out)
{
    static const char *const of[] = {"canvas", "covered"};
    static const map_key keys[] = {
        KEY_CHOICE("of", KEY_OPTIONAL, criteria_keys, covered, of),
        KEY_READ("mesh", KEY_OPTIONAL, read_object),
        KEY_READ("node", KEY_OPTIONAL, read_object),
        KEY_READ("material", KEY_OPTIONAL, read_object),
        KEY_READ("bone", KEY_OPTIONAL, read_object),
        KEY_INTEGER("max_diff", KEY_OPTIONAL, criteria_keys, max_diff, 0, 255),
        KEY_NUMBER("mean", KEY_OPTIONAL, criteria_keys, c.mean, 0.0, 255.0),
        KEY_NUMBER("rms", KEY_OPTIONAL, criteria_keys, c.rms, 0.0, 255.0),
        KEY_NUMBER("psnr", KEY_OPTIONAL, criteria_keys, c.psnr, 0.0, 1000.0),
        KEY_INTEGER("pixels", KEY_OPTIONAL, criteria_keys, pixels, 0, 1 << 28),
        KEY_NUMBER("share", KEY_OPTIONAL, criteria_keys, c.share, 0.0, 100.0),
        KEY_INTEGER("threshold", KEY_OPTIONAL, criteria_keys, threshold, 0, 255),
        KEY_NUMBER("ssim", KEY_OPTIONAL, criteria_keys, c.ssim, -1.0, 1.0),
        KEY_NUMBER("flip", KEY_OPTIONAL, criteria_keys, c.flip, 0.0, 1.0),
        KEY_BOOL("ignore_antialiasing", KEY_OPTIONAL, criteria_keys, c.ignore_antialiasing),
        KEY_BOOL("straight", KEY_OPTIONAL, criteria_keys, c.straight),
    };
    const comparison_criteria none = comparison_criteria_none();
    criteria_keys found = {none, none.max_diff, none.pixels, none.threshold, .covered = false};
    ZT_TRY(value_map(r, value, "criteria", keys, COUNT_OF(keys), &found));
    found.c.max_diff = (int32_t)found.max_diff;
    found.c.pixels = (int32_t)found.pixels;
    found.c.threshold = (int32_t)found.threshold;
    found.object.criteria = found.c;
    if (found.object.name) {
        out->objects[out->object_count++] = found.object;
        return ZT_OK;
    }
    out->criteria = found.c;
    out->covered = found.covered;
    return ZT_OK;
}

/// A map, or a list of maps. Criteria of a shot replace all of the suite's: one of them alone would
/// loosen nothing.
static zt_result read_criteria(document_reader *r, const document_node *value, suite_shot *out)
{
    const bool is_list = value->kind == DOCUMENT_LIST;
    out->criteria = comparison_criteria_none();
    out->covered = false;
    out->object_count = 0;
    ZT_TRY(ARENA_TAKE(r->keep, &out->objects, is_list ? value->count : 1, "criteria", r->err));
    if (!is_list)
        return read_entry(r, value, out);
    for (const document_node *node = value->first; node; node = node->next) {
        ZT_TRY(read_entry(r, node, out));
        if (node->index > out->object_count)
            return value_fail(r, node, false, "criteria without an object again (expected one)");
    }
    return ZT_OK;
}

// ---- Shots --------------------------------------------------------------------------------------

static zt_result set_paths(document_reader *r, const suite *s, suite_shot *shot)
{
    static const char *const endings[] = {".png", ".png", ".diff.png", ".old.png"};
    const char **const paths[] = {&shot->golden_path, &shot->picture_path, &shot->diff_path,
                                  &shot->old_path};
    char file[256], form[FILE_PATH_SIZE];
    for (int i = 0; i < 4; i++) {
        snprintf(file, sizeof file, "%s%s", shot->name, endings[i]);
        *paths[i] = path_join(r->keep, i == 0 ? s->goldens : s->results, file);
        if (!*paths[i])
            return arena_fail(r->keep, r->err, "paths of the suite");
    }
    return file_form(shot->golden_path, s->root_length, form) == form
               ? ARENA_TEXT(r->keep, &shot->golden_path, form, "paths of the suite", r->err)
               : ZT_OK;
}

static zt_result add_name(document_reader *r, const document_node *node, const suite *s)
{
    const char *name = s->shots[s->shot_count].name;
    uint32_t *slot = hash_table_text(&s->names, &s->shots->name, sizeof *s->shots, name);
    if (*slot != 0)
        return value_fail(r, document_member(node, "name"), false,
                          "the name '%.80s' is used twice (expected once)", name);
    *slot = s->shot_count + 1;
    return ZT_OK;
}

/// The shot of an entry, or one for each of its frames.
static zt_result add_shots(document_reader *r, const document_node *node, shot_keys *entry,
                           suite *s)
{
    const char *name = entry->shot.name;
    const int64_t frames = entry->frames.count, count = frames > 0 ? frames : 1;
    char text[256], location[DOCUMENT_LOCATION_SIZE];
    if (s->shot_count + count > SUITE_SHOTS_MAX)
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s: too many shots (expected at most %d in all)",
                       document_location(r->path, node, false, location), SUITE_SHOTS_MAX);
    for (int64_t i = 0; i < count; i++) {
        if (frames > 0) {
            entry->shot.frame = entry->frames.frame[i];
            snprintf(text, sizeof text, "%s/%04lld", name, (long long)entry->shot.frame);
            ZT_TRY(ARENA_TEXT(r->keep, &entry->shot.name, text, "names of shots", r->err));
        }
        ZT_TRY(ARENA_GROW(r->keep, s->shots, s->shot_count, s->shot_room, "shots", r->err));
        ZT_TRY(set_paths(r, s, &entry->shot));
        s->shots[s->shot_count] = entry->shot;
        ZT_TRY(add_name(r, node, s));
        s->shot_count++;
    }
    return ZT_OK;
}

static zt_result read_shots(document_reader *r, const suite_keys *keys, suite *s)
{
    shot_keys defaults = {
        .shot = {.shot = zt_default_shot_def(), .criteria = comparison_criteria_none()}};
    if (keys->criteria)
        ZT_TRY(read_criteria(r, keys->criteria, &defaults.shot));
    if (keys->defaults)
        ZT_TRY(read_shot_keys(r, keys->defaults, false, &defaults));
    if (defaults.criteria)
        ZT_TRY(read_criteria(r, defaults.criteria, &defaults.shot));
    if (keys->shots->kind != DOCUMENT_LIST || keys->shots->count == 0)
        return value_wrong(r, keys->shots, "a list of shots");
    if (!hash_table_init(&s->names, r->keep, SUITE_SHOTS_MAX))
        return arena_fail(r->keep, r->err, "shots");
    for (const document_node *node = keys->shots->first; node; node = node->next) {
        shot_keys entry = defaults;
        entry.criteria = NULL;
        entry.shot.line = node->line;
        entry.shot.column = node->column;
        ZT_TRY(read_shot_keys(r, node, true, &entry));
        if (entry.criteria)
            ZT_TRY(read_criteria(r, entry.criteria, &entry.shot));
        if (!entry.shot.file)
            return value_fail(r, node, false, "no key 'file' in shot or defaults (expected one)");
        if (entry.shot.shot.light && entry.shot.shot.environment)
            return value_fail(r, node, false, "light and environment cannot be combined");
        entry.shot.load.file_up = entry.shot.shot.up;
        ZT_TRY(add_shots(r, node, &entry, s));
    }
    return ZT_OK;
}

// ---- The top level ------------------------------------------------------------------------------

/// Results replace and remove what has their names: never goldens, by whatever path or link.
static zt_result check_folders(document_reader *r, const document_node *root, bool own_results,
                               const suite *s)
{
    char goldens[SUITE_PATH_SIZE], results[SUITE_PATH_SIZE];
    if (!suite_folder_resolve(s->goldens, goldens) || !suite_folder_resolve(s->results, results))
        return value_fail(r, root, false,
                          "the folders '%.200s' and '%.200s' cannot be found out (expected paths "
                          "without '..')",
                          s->goldens, s->results);
    ZT_TRY(check_confined(r, s->goldens, goldens));
    if (own_results)
        ZT_TRY(check_confined(r, s->results, results));
    const char *inner = suite_folder_below(goldens, results);
    if (!inner)
        inner = suite_folder_below(results, goldens);
    if (!inner)
        return ZT_OK;
    const size_t length = strlen(inner);
    if (length == 0)
        return value_fail(r, root, false,
                          "goldens and results are both '%.200s' (expected two folders)", goldens);
    for (uint32_t i = 0; i < s->shot_count; i++)
        if (strncmp(s->shots[i].name, inner, length) == 0 && s->shots[i].name[length] == '/')
            return value_fail(r, root, false,
                              "the shot '%.80s' would be where pictures of '%.80s' are (expected "
                              "goldens and results apart)",
                              s->shots[i].name, inner);
    return ZT_OK;
}

static zt_result read_suite(document_reader *r, const document_node *root, const char *results,
                            suite *s)
{
    static const map_key keys[] = {
        KEY_READ("format", KEY_REQUIRED, value_format),
        KEY_PATH("goldens", KEY_OPTIONAL, suite_keys, goldens, "a folder"),
        KEY_PATH("results", KEY_OPTIONAL, suite_keys, results, "a folder"),
        KEY_PATH("hashes", KEY_OPTIONAL, suite_keys, hashes, "a list of pixel hashes"),
        KEY_NODE("criteria", KEY_OPTIONAL, suite_keys, criteria),
        KEY_NODE("defaults", KEY_OPTIONAL, suite_keys, defaults),
        KEY_NODE("shots", KEY_REQUIRED, suite_keys, shots),
    };
    suite_keys found = {0};
    if (root->kind == DOCUMENT_MAP && (!root->first || strcmp(root->first->key, "format") != 0))
        return value_fail(r, root->first ? root->first : root, true,
                          "a suite without its format (expected 'format: 1' first)");
    ZT_TRY(value_map(r, root, "suite", keys, COUNT_OF(keys), &found));
    arena *a = r->keep;
    s->goldens = found.goldens ? found.goldens : path_sibling(a, r->path, "goldens");
    if (results)
        s->results = arena_text(a, results, strlen(results));
    else
        s->results = found.results ? found.results : path_sibling(a, r->path, "results");
    if (!s->goldens || !s->results)
        return arena_fail(a, r->err, "paths of the suite");
    s->hashes = found.hashes;
    ZT_TRY(read_shots(r, &found, s));
    ZT_TRY(suite_hashes_read(s, r->scratch, r->err));
    return check_folders(r, root, !results, s);
}

static zt_result read_document(document_reader *r, document_node **out_root)
{
    file_bytes bytes = {0};
    ZT_TRY(file_read_within(r->scratch, r->path, DOCUMENT_SIZE_LIMIT, &bytes, r->err));
    return document_read(r->scratch, r->path, bytes, out_root, r->err);
}

static zt_result begin(const char *path, const zt_load_def *def, suite *out, arena *scratch,
                       document_reader *r, zt_error *err)
{
    char other[FILE_PATH_SIZE];
    path = file_form(path, FILE_ANYWHERE, other);
    *out = (suite){.root_length = def->confine_scene ? path_folder_length(path) : FILE_ANYWHERE};
    budget_init_within(&out->memory, def->budget, def->max_memory, def->allocator);
    cancel_init(&out->memory.cancel, def->cancel);
    arena_init(&out->texts, &out->memory);
    arena_init(scratch, &out->memory);
    out->path = arena_text(&out->texts, path, strlen(path));
    *r = (document_reader){.path = out->path,
                           .keep = &out->texts,
                           .scratch = scratch,
                           .root_length = out->root_length,
                           .err = err};
    return out->path ? ZT_OK : arena_fail(&out->texts, err, "suite");
}

zt_result suite_load(const char *path, const zt_load_def *def, const char *results, suite *out,
                     zt_error *err)
{
    arena scratch;
    document_reader r;
    document_node *root = NULL;
    zt_result result = begin(path, def, out, &scratch, &r, err);
    if (result == ZT_OK)
        result = read_document(&r, &root);
    if (result == ZT_OK)
        result = read_suite(&r, root, results, out);
    arena_finish(&scratch);
    return result;
}

bool suite_is(const char *path, const zt_load_def *def)
{
    suite s;
    arena scratch;
    document_reader r;
    document_node *root = NULL;
    const bool is_suite = begin(path, def, &s, &scratch, &r, NULL) == ZT_OK &&
                          read_document(&r, &root) == ZT_OK && document_member(root, "shots");
    arena_finish(&scratch);
    suite_finish(&s);
    return is_suite;
}

void suite_finish(suite *s)
{
    arena_finish(&s->texts);
    *s = (suite){0};
}
