// SPDX-License-Identifier: MIT
/// Reports of losses, names of side files, and the formats of pictures; see convert_job.h. Names
/// from the source file never reach a message or the file system unchecked.
#include "convert/convert_job.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 100 };

zt_result convert_report_loss(convert_job *job, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_make_harmless(text); // names in the source file may hold line breaks
    return message_unsupported(&job->sink, job->err, "%s: %s", job->out_path, text);
}

static bool is_path_used(const convert_job *job, const char *path)
{
    for (const output_file *f = job->files.first; f; f = f->next)
        if (strcmp(f->path, path) == 0)
            return true;
    return false;
}

char *convert_uri(const convert_job *job, const char *name)
{
    char *text = ARENA_ARRAY(job->a, char, 3 * strlen(name) + 1), *end = text;
    for (; text && *name; name++) {
        const char c = *name;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || strchr("-._~", c);
        end += snprintf(end, 4, plain ? "%c" : "%%%02X", (unsigned char)c);
    }
    return text;
}

/// True when the source file has `text` in it.
static bool source_has(const convert_job *job, const char *text)
{
    const size_t length = strlen(text);
    const uint8_t *at = job->source.bytes.data;
    size_t left = job->source.bytes.size;
    while (at && left >= length) {
        const uint8_t *found = memchr(at, text[0], left - length + 1);
        if (!found)
            return false;
        if (memcmp(found, text, length) == 0)
            return true;
        left -= (size_t)(found - at) + 1;
        at = found + 1;
    }
    return false;
}

/// A file that the source seems to refer to stays, unless the source is replaced. False: no memory.
static bool is_of_source(const convert_job *job, const char *name, const char *path, bool *out)
{
    *out = false;
    if (job->files.save || !file_exists(path) || file_is_same(job->source.path, job->out_path))
        return true;
    const char *uri = convert_uri(job, name);
    *out = uri && (source_has(job, name) || source_has(job, uri));
    return uri != NULL;
}

/// Copies at most NAME_LENGTH_MAX bytes of `name`, with '_' for what a file system may refuse.
static void copy_plain(const char *name, char out[NAME_LENGTH_MAX + 1])
{
    size_t length = 0;
    for (; length < NAME_LENGTH_MAX && name[length]; length++) {
        const char c = name[length];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '-';
        out[length] = plain ? c : '_';
    }
    out[length] = 0;
}

zt_result convert_side_file(convert_job *job, const char *name, const char *extension,
                            const char **out_name, const char **out_path)
{
    char plain[NAME_LENGTH_MAX + 1];
    const char *stem = path_name(job->out_path), *dot = strrchr(stem, '.');
    const size_t stem_length = dot ? (size_t)(dot - stem) : strlen(stem);
    const size_t size = stem_length + NAME_LENGTH_MAX + strlen(extension) + 32;
    char *made;
    ZT_TRY(ARENA_TAKE(job->a, &made, size, "a file name", job->err));
    copy_plain(name, plain);
    *out_name = made;
    for (unsigned n = 1;; n++) {
        char number[16] = "";
        if (n > 1)
            snprintf(number, sizeof number, "-%u", n);
        snprintf(made, size, "%.*s%s%s%s.%s", (int)stem_length, stem, *plain ? "-" : "", plain,
                 number, extension);
        *out_path = path_sibling(job->a, job->out_path, made);
        bool taken;
        if (!*out_path || !is_of_source(job, made, *out_path, &taken))
            return arena_fail(job->a, job->err, "a file name");
        if (!taken && !is_path_used(job, *out_path))
            return ZT_OK;
    }
}

const char *convert_stem(convert_job *job, const char *name)
{
    const char *dot = strrchr(name, '.');
    return arena_text(job->a, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}
