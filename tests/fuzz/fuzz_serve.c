// SPDX-License-Identifier: MIT
/// Feeds bytes to `serve` as a client sends them: lines of requests, each with its bytes.
#include "cli/serve_call.h"
#include "fuzz_memory.h"
#include "json/json_parse.h"

enum { BUDGET = SERVE_LINE_MAX * 32, FILE_PART = 64 };

/// The id and the files of a request are what an answer and a worker may rely on.
static void check_call(const serve_call *c, budget *b)
{
    json_problem problem;
    arena a;
    uint64_t bytes = 0;
    arena_init(&a, b);
    json_builder builder = {.a = &a};
    const json_value *id = json_parse(&builder, c->id, strlen(c->id), 1, NULL, &problem);
    require(id || problem.code != ZT_ERR_FORMAT);
    for (uint32_t i = 0; i < c->file_count; i++) {
        require(c->files[i].offset == bytes && c->files[i].name[0] != '/');
        require(serve_call_file(c, c->files[i].name) == &c->files[i]);
        bytes += c->files[i].size;
    }
    require(bytes == c->bytes && (c->cancels || c->argc > 0));
    arena_finish(&a);
}

static size_t take_line(const char *line, size_t size, budget *b)
{
    serve_call call;
    zt_error err = {0};
    options o;
    const zt_result r = serve_call_parse(line, size, b, &call, &err);
    fuzz_result(r);
    require((r == ZT_OK) == (err.code == ZT_OK) && (r != ZT_OK || call.bytes_known));
    require(r == ZT_OK || err.message[0]);
    if (r == ZT_OK)
        check_call(&call, b);
    if (r == ZT_OK && !call.cancels && serve_call_options(&call, &o, &err) == ZT_OK)
        require(!o.outdir && !o.trace && !o.load.follow_links && !o.help && !o.print_limits);
    const size_t bytes = call.bytes_known && call.bytes < FILE_PART ? (size_t)call.bytes : SIZE_MAX;
    arena_finish(&call.memory);
    return bytes;
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size, *stop;
    while (at < end && (stop = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        budget b;
        budget_init(&b, BUDGET, NULL);
        const size_t bytes = take_line(at, (size_t)(stop - at), &b);
        require(b.used == 0);
        at = stop + 1;
        if (bytes > (size_t)(end - at))
            return;
        at += bytes;
    }
}
