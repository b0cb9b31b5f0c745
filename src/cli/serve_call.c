// SPDX-License-Identifier: MIT
#include "cli/serve_call.h"

#include "base/nearest_name.h"
#include "base/path.h"
#include "base/row_find.h"
#include "base/text_stream.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "cli/output_name.h"
#include "json/json_parse.h"
#include "json/json_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FILES_MAX = 4096, DEPTH_MAX = 4, ID_BYTES = 64, ID_MAX_BITS = 53, TEXT_SIZE = 40 };

/// The commands of requests: first those that answer with pictures, then the other with progress.
static const char *const commands[] = {"render", "turntable", "thumbnail",
                                       "sheet",  "inspect",   "compare"};
enum { WITH_PICTURE = 3, WITH_PROGRESS = 4 };

static zt_result fail(zt_error *err, const char *what, const char *expected)
{
    return zt_fail(err, ZT_ERR_ARGUMENT, "request: %s (expected %s)", what, expected);
}

// ---- Parts of a request -------------------------------------------------------------------------

static const char files_expected[] =
    "a list of {\"name\": a name of its own that stays inside, \"bytes\": a whole number}";

static zt_result read_id(const json_value *id, serve_call *c, zt_error *err)
{
    const char *text = json_str(id);
    const int64_t number = json_int(id);
    const bool whole =
        json_is(id, JSON_KIND_INTEGER) && number >= 0 && number <= (int64_t)1 << ID_MAX_BITS;
    const bool named = text && text[0] && strlen(text) <= ID_BYTES;
    if (!whole && !named)
        return fail(err, "id", "a whole number from 0 to 2^53, or a string of 1 to 64 bytes");
    if (whole) {
        snprintf(c->id, sizeof c->id, "%" PRId64, number);
        return ZT_OK;
    }
    FILE *out = fmemopen(c->id, sizeof c->id, "w");
    if (!out)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for an id");
    json_stream_string(out, text);
    fclose(out);
    return ZT_OK;
}

/// Names are judged later: of a request whose sizes are known, the bytes can be dropped.
static zt_result read_sizes(const json_value *list, serve_call *c, zt_error *err)
{
    const uint64_t most = (uint64_t)1 << ID_MAX_BITS;
    if (list && (!json_is(list, JSON_KIND_ARRAY) || list->count > FILES_MAX))
        return fail(err, "files", files_expected);
    ZT_TRY(ARENA_TAKE(&c->memory, &c->files, json_length(list), "files of a request", err));
    for (uint32_t i = 0; i < json_length(list); i++) {
        const json_value *bytes = json_get(json_at(list, i), "bytes");
        const uint64_t size = (uint64_t)json_int(bytes);
        if (!json_is(bytes, JSON_KIND_INTEGER) || size > most - c->bytes)
            return fail(err, "files", files_expected);
        c->files[i] = (serve_file){NULL, c->bytes, size};
        c->bytes += size;
    }
    c->bytes_known = true;
    return ZT_OK;
}

static zt_result read_names(const json_value *list, serve_call *c, zt_error *err)
{
    for (; c->file_count < json_length(list); c->file_count++) {
        const json_value *file = json_at(list, c->file_count);
        const char *name = json_str(json_get(file, "name"));
        if (file->count != 2 || !name || !name[0] || !path_stays_inside(name) ||
            serve_call_file(c, name))
            return fail(err, "files", files_expected);
        c->files[c->file_count].name = name;
    }
    return ZT_OK;
}

static zt_result add_word(serve_call *c, const char *begin, const char *text, zt_error *err)
{
    char *word;
    ZT_TRY(ARENA_GROW(&c->memory, c->argv, (uint32_t)c->argc, c->word_room, "a request", err));
    const size_t size = strlen(begin) + strlen(text) + 1;
    ZT_TRY(ARENA_TAKE_RAW(&c->memory, &word, size, "a request", err));
    snprintf(word, size, "%s%s", begin, text);
    c->argv[c->argc++] = word;
    return ZT_OK;
}

static zt_result add_flag(serve_call *c, const char *name, const json_value *value, zt_error *err)
{
    char begin[TEXT_SIZE + 8], number[TEXT_SIZE], what[TEXT_SIZE + 16];
    const char *text = json_str(value);
    if (json_is(value, JSON_KIND_FALSE) || json_is(value, JSON_KIND_NULL))
        return ZT_OK;
    snprintf(what, sizeof what, "flag '%.*s'", TEXT_SIZE, name);
    if (!name[0] || strlen(name) > TEXT_SIZE || strpbrk(name, "= ") || name[0] == '-')
        return fail(err, what, "the long name of a flag without dashes");
    const bool sets = json_is(value, JSON_KIND_TRUE);
    snprintf(begin, sizeof begin, "--%s%s", name, sets ? "" : "=");
    const option_flag *flag = option_at(option_find(begin, strlen(begin)));
    if (sets && flag && flag->kind != OPTION_SWITCH) // it would take the next word
        return fail(err, what, "its value");
    if (json_is(value, JSON_KIND_INTEGER))
        snprintf(number, sizeof number, "%" PRId64, json_int(value));
    else if (json_is_numeric(value))
        snprintf(number, sizeof number, "%.17g", json_number(value));
    else if (!sets && !text)
        return fail(err, what, "a string, a number, true, false, or a list of strings");
    return add_word(c, begin, sets ? "" : text ? text : number, err);
}

static zt_result add_flags(serve_call *c, const json_value *flags, zt_error *err)
{
    if (flags && !json_is(flags, JSON_KIND_OBJECT))
        return fail(err, "flags", "an object");
    for (uint32_t i = 0; flags && i < flags->count; i++) {
        const json_value *value = flags->item[i];
        if (!json_is(value, JSON_KIND_ARRAY))
            ZT_TRY(add_flag(c, value->key, value, err));
        for (uint32_t k = 0; k < json_length(value); k++)
            ZT_TRY(add_flag(c, value->key, json_at(value, k), err));
    }
    return ZT_OK;
}

static bool has_flag(const serve_call *c, const char *name)
{
    for (int i = 1; i < c->argc; i++)
        if (strncmp(c->argv[i], name, strlen(name)) == 0)
            return true;
    return false;
}

static zt_result add_words(const json_value *root, serve_call *c, zt_error *err)
{
    const char *verb = json_str(json_get(root, "command"));
    const json_value *inputs = json_get(root, "inputs"), *output = json_get(root, "output");
    const char *path = json_str(output);
    if (!verb)
        return fail(err, "no command", "one");
    if (output && (!path || !path[0]))
        return fail(err, "output", "a path");
    if (inputs && !json_is(inputs, JSON_KIND_ARRAY))
        return fail(err, "inputs", "a list of names");
    ZT_TRY(add_word(c, "", verb, err));
    ZT_TRY(add_flags(c, json_get(root, "flags"), err));
    const bool prints = has_flag(c, "--verify") || has_flag(c, "--list-clips");
    const int32_t row = ROW_FIND(commands, verb);
    if (row >= 0 && row < WITH_PROGRESS)
        ZT_TRY(add_word(c, "--progress=", c->progress ? "json" : "none", err));
    if (!path && row >= 0 && row < WITH_PICTURE && !prints)
        path = "-";
    if (path)
        ZT_TRY(add_word(c, "--output=", path, err));
    ZT_TRY(add_word(c, "--", "", err));
    for (uint32_t i = 0; i < json_length(inputs); i++) {
        const char *input = json_str(json_at(inputs, i));
        if (!input || !input[0] || strcmp(input, "-") == 0)
            return fail(err, "inputs", "names of files, or paths below --root");
        ZT_TRY(add_word(c, "", input, err));
        c->input_count++;
    }
    return ZT_OK;
}

// ---- Requests -----------------------------------------------------------------------------------

static zt_result check_members(const json_value *root, serve_call *c, zt_error *err)
{
    static const char *const requests[] = {"id",     "command", "inputs",   "flags",
                                           "output", "files",   "progress", NULL};
    static const char *const cancels[] = {"cancel", NULL};
    const char *const *names = c->cancels ? cancels : requests;
    const size_t count = c->cancels ? 1 : sizeof requests / sizeof *requests - 1;
    for (uint32_t i = 0; i < root->count; i++) {
        const char *key = root->item[i]->key;
        if (row_find(names, count, sizeof *names, key) < 0)
            return zt_fail(err, ZT_ERR_ARGUMENT, "request: unknown member '%.*s'%s", TEXT_SIZE, key,
                           nearest_hint(nearest_word(key, names)).text);
    }
    const json_value *progress = json_get(root, "progress");
    c->progress = json_is(progress, JSON_KIND_TRUE);
    if (progress && !c->progress && !json_is(progress, JSON_KIND_FALSE))
        return fail(err, "progress", "true or false");
    return ZT_OK;
}

zt_result serve_call_parse(const char *line, size_t size, budget *b, serve_call *out, zt_error *err)
{
    json_problem problem;
    *out = (serve_call){.id = "null"};
    arena_init(&out->memory, b);
    json_builder builder = {.a = &out->memory};
    const json_value *root = json_parse(&builder, line, size, DEPTH_MAX, NULL, &problem);
    if (!root)
        return zt_fail(err, problem.code == ZT_ERR_FORMAT ? ZT_ERR_ARGUMENT : problem.code,
                       "request: byte %u: %s (expected a line of JSON)", (unsigned)problem.column,
                       problem.message);
    if (!json_is(root, JSON_KIND_OBJECT))
        return fail(err, "no object", "a line of JSON, {...}");
    const json_value *cancelled = json_get(root, "cancel");
    out->cancels = cancelled != NULL;
    const json_value *files = json_get(root, "files");
    ZT_TRY(read_sizes(files, out, err));
    ZT_TRY(read_id(out->cancels ? cancelled : json_get(root, "id"), out, err));
    ZT_TRY(read_names(files, out, err));
    ZT_TRY(check_members(root, out, err));
    return out->cancels ? ZT_OK : add_words(root, out, err);
}

void serve_upload_destroy(serve_upload *u)
{
    if (!u)
        return;
    if (u->bytes)
        munmap((void *)(uintptr_t)(u->bytes - SERVE_LINE_MAX), SERVE_LINE_MAX + u->size);
    arena_finish(&u->call.memory);
    free(u);
}

bool serve_upload_equals(const serve_upload *a, const serve_upload *b)
{
    if (a->size != b->size || a->call.file_count != b->call.file_count)
        return false;
    for (uint32_t i = 0; i < a->call.file_count; i++)
        if (a->call.files[i].size != b->call.files[i].size ||
            strcmp(a->call.files[i].name, b->call.files[i].name) != 0)
            return false;
    return a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0;
}

const serve_file *serve_call_file(const serve_call *c, const char *name)
{
    const int32_t row = row_find(c->files, c->file_count, sizeof *c->files, name);
    return row >= 0 ? &c->files[row] : NULL;
}

zt_result serve_call_options(const serve_call *c, options *out, zt_error *err)
{
    // Those of batches, of processes, and of what belongs to the whole server.
    static const char *const refused[] = {
        "--outdir", "--freedesktop",  "--name",   "--skip",         "--jobs",     "--unordered",
        "--trace",  "--sandbox",      "--help",   "--follow-links", "--help-all", "--shard",
        "--resume", "--print-limits", "--hashes", "--json-lines",   "--no-cache"};
    if (ROW_FIND(commands, c->argv[0]) < 0)
        return usage_error(err,
                           "'%.40s' in a request (expected render, turntable, thumbnail, sheet, "
                           "inspect or compare)",
                           c->argv[0]);
    ZT_TRY(options_parse(c->argc, c->argv, out, err));
    if (out->input_count != c->input_count)
        return usage_error(err, "request: '%.200s' among inputs (expected it as 'output')",
                           out->output ? out->output : "");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (out->given[option_find(refused[i], strlen(refused[i]))])
            return usage_error(err, "'%s' in a request (expected another flag; see docs/serve.md)",
                               refused[i]);
    if (options_use_workers(out))
        return usage_error(err, "%d models in a request (expected one)", out->input_count);
    if (out->output && !out->encode.format && names_video(out->output))
        return usage_error(err, "'%.200s' in a request (expected .apng, .webp or .y4m of films)",
                           out->output);
    return ZT_OK;
}
