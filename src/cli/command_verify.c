// SPDX-License-Identifier: MIT
/// verify: the command that made a picture, with --verify, by the picture's own text, which may be
/// a stranger's. Inputs are found by size and hash, and the scene is loaded from memory: no name of
/// a text or a file is opened.
#include "base/bytes.h"
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
    bool lossy, exr, done; ///< the picture, twice; looking for inputs
    const char *planes;    ///< that it holds; NULL: colours of 8 bits
    zt_image pixels;       ///< its own
    uint64_t said;         ///< the hash of them in its text
    zt_result read;        ///< of the file that was opened last
    uint32_t wanted_count;
    arena a, first, bytes;        ///< of the input; of the file read last
    const char *words[WORDS_MAX]; ///< the command line
    char frames[64];              ///< a word of it
    file_bytes file;              ///< the picture
    bool whole, same;             ///< its planes are those of the text, and were made again
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

/// True for a WebP file whose pixels are in a lossy chunk.
static bool is_lossy(file_bytes file)
{
    size_t at = 12;
    if (!file_starts_with(file, 0, "RIFF"))
        return false;
    while (at + 8 < file.size && !file_starts_with(file, at, "VP8 ") &&
           !file_starts_with(file, at, "VP8L"))
        at += 8 + ((size_t)bytes_u32_le(file.data + at + 4) + 1) / 2 * 2;
    return !file_starts_with(file, at, "VP8L");
}

static zt_result read_text(verify_job *j)
{
    json_problem problem;
    json_builder b = {.a = &j->a};
    ZT_TRY(file_read_replaceable(&j->a, j->picture, &j->file, j->err));
    const file_bytes text = find_text(j->file);
    if (text.size == 0)
        return fail_text(j, "says nothing of itself");
    j->text = json_parse(&b, (const char *)text.data, text.size, DEPTH_MAX, NULL, &problem);
    if (!j->text)
        return fail_text(j, problem.message);
    const char *version = json_str(json_get(j->text, "version"));
    const char *pixels = json_str(json_get(j->text, "pixels"));
    j->lossy = is_lossy(j->file);
    j->planes = json_str(json_get(j->text, "planes"));
    if (json_get(j->text, "planes") && !j->planes)
        return fail_text(j, "names no planes");
    j->exr = j->planes && file_starts_with(j->file, 0, "\x76\x2f\x31\x01");
    j->settings = json_get(j->text, "settings");
    if (!j->settings)
        return zt_fail(j->err, ZT_ERR_UNSUPPORTED,
                       "%.400s: has no settings (expected a picture by --metadata full)",
                       j->picture);
    if (!version || strcmp(version, zt_version()) != 0)
        console_tell(j->o, "%.400s: was made by version %.100s (this is %s)", j->picture,
                     version ? version : "unknown", zt_version());
    if (!pixels || !parse_hash(pixels, &j->said))
        return fail_text(j, "names no hash of its pixels");
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
static zt_result prepare(verify_job *j, const options *o, options *again)
{
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

// ---- The answer ---------------------------------------------------------------------------------

/// Reads the picture, and limits what renders it again.
static zt_result open_picture(verify_job *j, options *again)
{
    zt_limits limits = j->o->limits;
    uint64_t own = j->said;
    again->verify = (option_hash){.given = true, .file = j->picture};
    if (again->command == COMMAND_THUMBNAIL)
        thumbnail_shot(again);
    if (!j->exr) {
        again->verify.picture = &j->pixels;
        ZT_TRY(zt_image_read(j->picture, true, j->o->load.budget, &j->pixels, j->err));
    }
    if (j->planes && !j->exr)
        ZT_TRY(zt_png_hash(j->picture, j->o->load.budget, &own, j->err));
    if (again->limits.texture_side < limits.texture_side)
        limits.texture_side = again->limits.texture_side;
    if (again->limits.samples < limits.samples)
        limits.samples = again->limits.samples;
    const uint64_t key = strtoull((const char *)j->file.data + KEY_AT, NULL, 16); // and checksum
    j->whole = j->exr ? zt_image_has_key(j->picture, key, SIDE_MAX, SIDE_MAX) : own == j->said;
    return zt_budget_set_limits(j->o->load.budget, &limits, j->err);
}

/// A lossy picture has lost the pixels that were rendered; the hash in its text has not.
static int verify_colors(verify_job *j, options *again)
{
    again->verify.value = j->lossy ? j->said : zt_image_hash(&j->pixels);
    again->verify.rows = j->lossy;
    const int code = command_render(again);
    if (j->lossy)
        console_tell(j->o, "%.400s: a lossy picture: its text is compared, not its pixels",
                     j->picture);
    else if (code == (int)ZT_ERR_DIFFERENT && j->said != hash_pixel_rows(&j->pixels))
        console_tell(j->o, "%s: its pixels were changed after it was written", j->picture);
    return code;
}

/// A zt_write_fn of the file made again, whose text names the hash of its planes.
static bool compare_planes(void *user, const void *bytes, size_t size)
{
    verify_job *j = user;
    const file_bytes made = find_text((file_bytes){bytes, size});
    const char *own = made.size > 0 ? strstr((const char *)made.data, PIXELS) : NULL;
    j->same = own && strtoull(own + strlen(PIXELS), NULL, 16) == j->said;
    return true;
}

static int verify_planes(verify_job *j, options *again)
{
    again->sequence.planes = j->planes;
    again->encode.format = j->exr ? "exr" : "png";
    again->verify.write = compare_planes;
    again->verify.write_user = j;
    const int code = command_render(again);
    if (code != (int)ZT_OK)
        return code;
    const bool verified = j->same && j->whole;
    if (j->o->json) {
        json_stream document = document_begin(j->o);
        json_stream_bool(&document, "verified", verified);
        document_end();
    }
    if (!verified)
        fprintf(stderr, "zoetrope: %s: %s\n", j->picture,
                j->whole ? "the planes differ" : "it was changed after it was written");
    return verified ? (int)ZT_OK : (int)ZT_ERR_DIFFERENT;
}

int command_verify(options *o)
{
    options again;
    zt_error err = {0};
    char folder[FILE_PATH_SIZE];
    verify_job j = {.o = o, .picture = o->inputs[0], .folder = o->inputs_folder, .err = &err};
    if (o->input_count != 1 || strcmp(o->inputs[0], "-") == 0)
        return command_fail(o,
                            usage_error(&err, "verify of %d names or - (expected one picture file)",
                                        o->input_count),
                            err.message);
    o->verify.file = j.picture;
    if (!j.folder)
        j.folder = path_folder(j.picture, folder, sizeof folder);
    arena_init(&j.a, &o->load.budget->bytes);
    arena_init(&j.bytes, &o->load.budget->bytes);
    arena_init(&j.first, &o->load.budget->bytes);
    zt_result result = prepare(&j, o, &again);
    if (result == ZT_OK)
        result = open_picture(&j, &again);
    const int code = result != ZT_OK ? command_fail(o, result, err.message)
                     : j.planes      ? verify_planes(&j, &again)
                                     : verify_colors(&j, &again);
    zt_image_finish(&j.pixels);
    arena_finish(&j.first);
    arena_finish(&j.a);
    arena_finish(&j.bytes);
    return code;
}
