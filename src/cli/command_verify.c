// SPDX-License-Identifier: MIT
/// verify: the command that made a picture, with --verify, by the picture's own text, which may be
/// a stranger's. Inputs are found by size and hash, and the scene is loaded from memory: no name of
/// a text or a file is opened.
#include "base/def_fields.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/letter_form.h"
#include "base/model_names.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "cli/picture_names.h"
#include "cli/rendering.h"
#include "json/json_parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { TEXT_MAX = 1 << 20, DEPTH_MAX = 8, INPUTS_MAX = 4096, WORDS_MAX = 256 };
enum { KEY_AT = 69, SIDE_MAX = 16384 }; // in an OpenEXR file
#define PIXELS "\"pixels\":\""

/// An input that the picture names.
typedef struct wanted_file {
    const char *name, *found; ///< `found`: below the folder; NULL: it is not there
    int64_t size;
    uint64_t hash;
} wanted_file;

typedef struct verify_job {
    const options *o;
    const char *picture, *folder;
    const json_value *text, *settings;
    wanted_file *wanted;
    uint32_t missing;
    bool exr, lossy; ///< the picture; else lossless
    bool done;       ///< looking for inputs
    zt_result read;  ///< of the file that was opened last
    uint32_t wanted_count;
    arena a, first, bytes;        ///< of the input; of the file read last
    const char *words[WORDS_MAX]; ///< the command line
    char frames[64];              ///< a word of it
    file_bytes file;              ///< the picture
    bool same;                    ///< it was made again
    zt_error *err;
} verify_job;

static zt_result fail_text(const verify_job *j, const char *what)
{
    return zt_fail(j->err, ZT_ERR_FORMAT, "%.400s: %.500s (expected what --metadata full writes)",
                   j->picture, what);
}

// ---- The text -----------------------------------------------------------------------------------

/// The text in the bytes of a picture; empty: it has none. It ends with a 0, or where XMP does.
static file_bytes find_text(file_bytes file)
{
    static const char begin[] = "<zoetrope:picture><![CDATA[";
    size_t at = 0;
    while (at < file.size && !file_starts_with(file, at, begin))
        at++;
    const char *text = (const char *)file.data + at + sizeof begin - 1;
    const char *end = at < file.size ? strstr(text, "]]>") : NULL;
    return (file_bytes){(const uint8_t *)text,
                        end && end - text <= TEXT_MAX ? (size_t)(end - text) : 0};
}

static zt_result read_inputs(verify_job *j)
{
    const json_value *inputs = json_get(j->settings, "inputs");
    j->wanted_count = json_length(inputs);
    if (j->wanted_count < 1 || j->wanted_count > INPUTS_MAX)
        return fail_text(j, "names no inputs, or too many");
    j->missing = j->wanted_count;
    ZT_TRY(ARENA_TAKE(&j->a, &j->wanted, j->wanted_count, "inputs of a picture", j->err));
    for (uint32_t i = 0; i < j->wanted_count; i++) {
        const char *input = json_str(json_at(inputs, i));
        wanted_file *w = &j->wanted[i];
        int at = 0;
        if (!input || sscanf(input, "%16" SCNx64 " %20" SCNd64 " %n", &w->hash, &w->size, &at) != 2)
            return fail_text(j, "names an input without hash and size");
        w->name = input + at;
    }
    return ZT_OK;
}

static zt_result read_text(verify_job *j)
{
    json_problem problem;
    json_builder b = {.a = &j->a};
    ZT_TRY(file_read_replaceable(&j->a, j->picture, &j->file, j->err));
    const file_bytes text = find_text(j->file);
    if (text.size == 0)
        return fail_text(j, "says nothing of itself");
    j->exr = file_starts_with(j->file, 0, "\x76\x2f\x31\x01");
    j->lossy = file_starts_with(j->file, 0, "RIFF") && !file_starts_with(j->file, 30, "VP8L");
    j->text = json_parse(&b, (const char *)text.data, text.size, DEPTH_MAX, NULL, &problem);
    if (!j->text)
        return fail_text(j, problem.message);
    const char *version = json_str(json_get(j->text, "version"));
    j->settings = json_get(j->text, "settings");
    if (!j->settings)
        return zt_fail(j->err, ZT_ERR_UNSUPPORTED,
                       "%.400s: has no settings (expected a picture by --metadata full)",
                       j->picture);
    if (!version || strcmp(version, zt_version()) != 0)
        console_tell(j->o, "%.400s: was made by version %.100s (this is %s)", j->picture,
                     version ? version : "unknown", zt_version());
    return read_inputs(j);
}

/// The command line by the settings.
static zt_result parse_settings(verify_job *j, options *out)
{
    const json_value *flags = json_get(j->settings, "flags");
    const char *verb = json_str(json_get(j->settings, "command")), *name;
    const long long frame = (long long)json_int(json_get(j->text, "frame"));
    zt_error why = {0};
    int count = 1;
    if (!verb || !json_is(json_get(j->text, "frame"), JSON_KIND_INTEGER))
        return fail_text(j, verb ? "names no frame" : "names no command");
    j->words[0] = verb;
    for (uint32_t i = 0; (name = json_str(json_at(flags, i))) != NULL; i++) {
        const option_flag *flag = option_at(option_find(name, strlen(name)));
        const char *value =
            flag && flag->kind != OPTION_SWITCH ? json_str(json_at(flags, ++i)) : "";
        value = value && flag ? option_picture_value(flag, value) : NULL;
        if (!value || count + 5 > WORDS_MAX)
            return fail_text(j, "names a flag that decides no picture");
        j->words[count++] = name;
        if (flag->kind != OPTION_SWITCH)
            j->words[count++] = value;
    }
    snprintf(j->frames, sizeof j->frames, "--frames=%lld..%lld", frame, frame);
    if (strcmp(verb, "thumbnail") != 0) // which has its own
        j->words[count++] = j->frames;
    j->words[count++] = "--";
    j->words[count++] = path_name(j->wanted[0].name);
    if (options_parse(count, (char **)(uintptr_t)j->words, out, &why) != ZT_OK)
        return fail_text(j, why.message);
    return out->command >= COMMAND_RENDER && out->command <= COMMAND_THUMBNAIL
               ? ZT_OK
               : fail_text(j, "names a command that renders no frame");
}

// ---- The inputs ---------------------------------------------------------------------------------

static zt_result read_found(verify_job *j, const char *name, file_bytes *out)
{
    arena_reset(&j->bytes);
    char *path = path_join(&j->bytes, j->folder, name);
    if (!path)
        return arena_fail(&j->bytes, j->err, "the path of an input");
    return file_read_below(NULL, &j->bytes, path, strlen(j->folder), out, j->err);
}

/// A file that has the size of an input is read, once. Links that lead out are none.
static void match_file(void *user, const char *path)
{
    verify_job *j = user;
    struct stat status;
    file_bytes bytes = {0};
    uint64_t hash = 0;
    const char *name = path + strlen(j->folder) + 1;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    for (uint32_t i = 0; i < j->wanted_count; i++) {
        wanted_file *w = &j->wanted[i];
        if (w->found || w->size != status.st_size)
            continue;
        if (!bytes.data && (j->read = read_found(j, name, &bytes)) != ZT_OK)
            break;
        hash = hash ? hash : hash_bytes(HASH_START, bytes.data, bytes.size);
        w->found = hash == w->hash ? arena_text(&j->a, name, strlen(name)) : NULL;
        j->missing -= w->found != NULL;
    }
    j->done = j->missing == 0 || (j->read != ZT_OK && j->read != ZT_ERR_INPUT);
}

/// ZT_ERR_INPUT; all that is missing but the last has a line by then.
static zt_result find_inputs(verify_job *j)
{
    bool missing = false;
    names_visit(j->folder, &j->done, match_file, j);
    if (j->done && j->missing > 0)
        return j->read;
    if (interrupt_raised())
        return cancel_fail(j->err);
    for (uint32_t i = 0; i < j->wanted_count; i++) {
        const wanted_file *w = &j->wanted[i];
        if (w->found)
            continue;
        if (missing)
            console_fail(ZT_ERR_INPUT, j->err->message);
        missing = true;
        (void)zt_fail(j->err, ZT_ERR_INPUT,
                      "%.300s: was made of %.200s with the hash %016" PRIx64
                      " (expected that file in %.300s)",
                      j->picture, w->name, w->hash, j->folder);
    }
    return missing ? ZT_ERR_INPUT : ZT_OK;
}

/// 0 unless a file has the name that is asked for, in any case, or stands for a .dds; more, the
/// longer their paths are equal at the end.
static size_t fit(const wanted_file *w, const char *name)
{
    const char *last = path_name(name), *own = path_name(w->name);
    const size_t stem = path_stem_length(last), n = strlen(name), m = strlen(w->found);
    const bool stands = has_suffix(last, ".dds") && path_stem_length(own) == stem &&
                        strncasecmp(own, last, stem) == 0;
    size_t same = 0;
    while (same < n && same < m && name[n - 1 - same] == w->found[m - 1 - same])
        same++;
    if (strcmp(w->name, name) == 0)
        return SIZE_MAX;
    return stands || letters_are_same(own, last, strlen(last), true) ? 1 + same : 0;
}

/// A zt_open_fn.
static bool open_wanted(void *user, const char *name, const void **out_bytes, size_t *out_size)
{
    verify_job *j = user;
    const wanted_file *best = NULL;
    file_bytes bytes;
    for (uint32_t i = 0; i < j->wanted_count; i++)
        if (fit(&j->wanted[i], name) > (best ? fit(best, name) : 0))
            best = &j->wanted[i];
    if (!best || read_found(j, best->found, &bytes) != ZT_OK)
        return false;
    *out_bytes = bytes.data;
    *out_size = bytes.size;
    return true;
}

// ---- The picture --------------------------------------------------------------------------------

/// Files are found by the ends of their paths: a folder stands for the one above a scene, out of
/// which names in memory may not lead.
static void turn_inside(file_bytes scene)
{
    for (size_t at = 0; at < scene.size; at++)
        if (file_starts_with(scene, at, "../"))
            memcpy((uint8_t *)(uintptr_t)scene.data + at, "up/", 3);
}

/// Options that run the command again; `again->load.bytes` are in j->first.
static zt_result prepare(verify_job *j, options *again)
{
    const options *o = j->o;
    file_bytes bytes;
    zt_load_def load = o->load;
    ZT_TRY(read_text(j));
    ZT_TRY(parse_settings(j, again));
    ZT_TRY(find_inputs(j));
    ZT_TRY(read_found(j, j->wanted[0].found, &bytes));
    if (is_scene_name(j->wanted[0].name))
        turn_inside(bytes);
    j->first = j->bytes;
    arena_init(&j->bytes, j->first.budget);
    def_overlay(&load_table, &load, &again->load);
    load.bytes = bytes.data;
    load.size = bytes.size;
    load.open = open_wanted;
    load.open_user = j;
    again->load = load;
    again->renderer = o->renderer;
    again->json = o->json;
    again->quiet = o->quiet;
    return ZT_OK;
}

// ---- Files of planes ----------------------------------------------------------------------------

/// The bytes of a PNG file behind its text: those of its pixels.
static file_bytes behind_text(file_bytes file)
{
    const file_bytes text = find_text(file);
    size_t at = (size_t)(text.data - file.data);
    while (at < file.size && !file_starts_with(file, at, "IDAT"))
        at++;
    return (file_bytes){file.data + at, file.size - at};
}

/// A zt_write_fn of the file made again, which names the hash of its planes. The bytes of a PNG
/// file are compared, too: it may have been changed by a program that kept its text.
static bool compare_planes(void *user, const void *bytes, size_t size)
{
    verify_job *j = user;
    const file_bytes made = {bytes, size}, text = find_text(made);
    const file_bytes own = behind_text(j->file), again = behind_text(made);
    const char *pixels = json_str(json_get(j->text, "pixels"));
    const char *said = text.size > 0 ? strstr((const char *)text.data, PIXELS) : NULL;
    j->same = said && pixels && strncmp(said + strlen(PIXELS), pixels, 16) == 0 &&
              (j->exr || (own.size == again.size && memcmp(own.data, again.data, own.size) == 0));
    return true;
}

/// The planes of an OpenEXR file are those of the hash if the file is whole: by its own checksum.
static int verify_planes(verify_job *j, options *again)
{
    const options *o = j->o;
    again->sequence.planes = json_str(json_get(j->text, "planes"));
    again->encode.format = j->exr ? "exr" : "png";
    again->verify =
        (option_hash){.given = true, .file = j->picture, .write = compare_planes, .write_user = j};
    const int code = command_render(again);
    if (code != (int)ZT_OK)
        return code;
    if (j->exr)
        j->same =
            j->same &&
            zt_image_has_key(j->picture, strtoull((const char *)j->file.data + KEY_AT, NULL, 16),
                             SIDE_MAX, SIDE_MAX);
    if (o->json) {
        json_stream document = document_begin(o);
        json_stream_bool(&document, "verified", j->same);
        document_end();
    }
    if (!j->same)
        fprintf(stderr, "zoetrope: %s: the planes differ\n", j->picture);
    return j->same ? (int)ZT_OK : (int)ZT_ERR_DIFFERENT;
}

// ---- Pictures of 8 bits -------------------------------------------------------------------------

static int verify_colors(verify_job *j, options *again)
{
    const options *o = j->o;
    zt_image picture = {0};
    uint64_t pixels = 0;
    const zt_result result = zt_image_read(j->picture, true, o->load.budget, &picture, j->err);
    if (result != ZT_OK)
        return command_fail(o, result, j->err->message);
    const uint64_t own = hash_pixel_rows(&picture);
    const char *text = json_str(json_get(j->text, "pixels"));
    const bool said = text && parse_hash(text, &pixels);
    again->verify = (option_hash){.given = true,
                                  .value = j->lossy ? pixels : zt_image_hash(&picture),
                                  .picture = &picture,
                                  .file = j->picture,
                                  .rows = j->lossy};
    const int code = command_render(again);
    if (j->lossy)
        console_tell(o, "%.400s: a lossy picture: its text is compared, not its pixels",
                     j->picture);
    else if (code == (int)ZT_ERR_DIFFERENT && said && pixels != own)
        console_tell(o, "%s: its pixels were changed after it was written", j->picture);
    zt_image_finish(&picture);
    return code;
}

/// Renders again, with the picture's limit of textures where it is the lower one.
static int render_again(verify_job *j, options *o, options *again)
{
    if (again->limits.texture_side < o->limits.texture_side)
        o->limits.texture_side = again->limits.texture_side;
    (void)zt_budget_set_limits(o->load.budget, &o->limits, j->err);
    if (again->command == COMMAND_THUMBNAIL)
        thumbnail_shot(again);
    return json_get(j->text, "planes") ? verify_planes(j, again) : verify_colors(j, again);
}

int command_verify(options *o)
{
    options again;
    zt_error err = {0};
    char folder[FILE_PATH_SIZE];
    if (o->input_count != 1 || strcmp(o->inputs[0], "-") == 0)
        return command_fail(o,
                            usage_error(&err, "verify of %d names or - (expected one picture file)",
                                        o->input_count),
                            err.message);
    o->verify.file = o->inputs[0];
    verify_job j = {.o = o, .picture = o->inputs[0], .folder = o->inputs_folder, .err = &err};
    if (!j.folder)
        j.folder = path_folder(j.picture, folder, sizeof folder);
    arena_init(&j.a, &o->load.budget->bytes);
    arena_init(&j.bytes, &o->load.budget->bytes);
    arena_init(&j.first, &o->load.budget->bytes);
    const zt_result result = prepare(&j, &again);
    const int code =
        result == ZT_OK ? render_again(&j, o, &again) : command_fail(o, result, err.message);
    arena_finish(&j.first);
    arena_finish(&j.a);
    arena_finish(&j.bytes);
    return code;
}
