// SPDX-License-Identifier: MIT
/// YAML text -> tree, through libyaml's events. Scalars follow the core schema of YAML 1.2 (10.3.2)
/// without hexadecimal, octal, infinities and not-a-numbers. Aliases are rejected: a scene does not
/// need them, and with them a short file can become a huge tree.
#include "base/number.h"
#include "document/document.h"

#include <string.h>
#include <yaml.h>

/// The most of libyaml: buffers, tokens within a line, and two texts that double as they grow.
enum { LIBRARY_BYTES = 256 << 10, LIBRARY_TEXT_SHARE = 4 };

typedef struct yaml_reader {
    arena *a;
    const char *path;
    zt_error *err;
    yaml_parser_t parser;
    document_node *open[DOCUMENT_DEPTH_LIMIT]; ///< maps and lists not yet closed
    uint32_t depth;
    uint32_t node_count;
    document_node *root;
    // The key that waits for its value.
    const char *key;
    uint32_t key_line, key_column;
    bool ended; ///< the first document is complete
} yaml_reader;

static zt_result fail_at(yaml_reader *r, yaml_mark_t mark, zt_result code, const char *what)
{
    return zt_fail(r->err, code, "%s:%zu:%zu: %s", r->path, mark.line + 1, mark.column + 1, what);
}

static zt_result fail_parser(yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return zt_fail(r->err, ZT_ERR_MEMORY, "%s: no memory for the YAML parser", r->path);
    if (p->error == YAML_READER_ERROR)
        return zt_fail(r->err, ZT_ERR_FORMAT, "%s: byte %zu: %s (expected UTF-8 text)", r->path,
                       p->problem_offset, p->problem ? p->problem : "unreadable");
    return zt_fail(r->err, ZT_ERR_FORMAT, "%s:%zu:%zu: %s%s%s (expected YAML)", r->path,
                   p->problem_mark.line + 1, p->problem_mark.column + 1,
                   p->problem ? p->problem : "malformed", p->context ? " " : "",
                   p->context ? p->context : "");
}

static bool word_is(const char *text, const char *lower)
{
    // true, True and TRUE, but not tRUE.
    const size_t length = strlen(lower);
    if (strlen(text) != length)
        return false;
    bool all_lower = true, all_upper = true, title = true;
    for (size_t i = 0; i < length; i++) {
        const char upper = (char)(lower[i] - 'a' + 'A');
        all_lower &= text[i] == lower[i];
        all_upper &= text[i] == upper;
        title &= text[i] == (i == 0 ? upper : lower[i]);
    }
    return all_lower || all_upper || title;
}

static void resolve_plain(document_node *node, size_t length)
{
    const char *text = node->text;
    const char *end = text + length;
    node->kind = DOCUMENT_STRING;
    if (length == 0 || strcmp(text, "~") == 0 || word_is(text, "null")) {
        node->kind = DOCUMENT_NULL;
    } else if (word_is(text, "true") || word_is(text, "false")) {
        node->kind = DOCUMENT_BOOL;
        node->truth = text[0] == 't' || text[0] == 'T';
    } else if (number_parse_double(text, end, &node->number) == end) {
        node->kind = DOCUMENT_NUMBER;
    }
}

static zt_result add_node(yaml_reader *r, const yaml_event_t *event, document_kind kind,
                          document_node **out)
{
    if (++r->node_count > DOCUMENT_NODE_LIMIT)
        return fail_at(r, event->start_mark, ZT_ERR_LIMIT, "the scene has too many values");
    document_node *node;
    ZT_TRY(ARENA_TAKE(r->a, &node, 1, "scene file", r->err));
    node->kind = kind;
    node->text = "";
    node->line = (uint32_t)event->start_mark.line + 1;
    node->column = (uint32_t)event->start_mark.column + 1;
    node->key = r->key;
    node->key_line = r->key_line;
    node->key_column = r->key_column;
    r->key = NULL;
    *out = node;
    if (r->depth == 0) {
        r->root = node;
        return ZT_OK;
    }
    return document_append(r->path, r->open[r->depth - 1], node, r->err);
}

static bool expects_key(const yaml_reader *r)
{
    return r->depth > 0 && r->open[r->depth - 1]->kind == DOCUMENT_MAP && !r->key;
}

static zt_result check_plain_features(yaml_reader *r, const yaml_event_t *event, const void *anchor,
                                      const void *tag)
{
    if (anchor)
        return fail_at(
            r, event->start_mark, ZT_ERR_FORMAT,
            "anchors and aliases are not part of scene files (expected the value itself)");
    if (tag)
        return fail_at(r, event->start_mark, ZT_ERR_FORMAT,
                       "tags are not part of scene files (expected a plain value)");
    return ZT_OK;
}

static zt_result on_scalar(yaml_reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    ZT_TRY(check_plain_features(r, event, event->data.scalar.anchor, event->data.scalar.tag));
    if (memchr(text, 0, length))
        return fail_at(r, event->start_mark, ZT_ERR_FORMAT, "a zero byte in text");
    const char *copy = arena_text(r->a, text, length);
    if (!copy)
        return arena_fail(r->a, r->err, "scene file");
    if (expects_key(r)) {
        r->key = copy;
        r->key_line = (uint32_t)event->start_mark.line + 1;
        r->key_column = (uint32_t)event->start_mark.column + 1;
        return ZT_OK;
    }
    document_node *node = NULL;
    ZT_TRY(add_node(r, event, DOCUMENT_STRING, &node));
    node->text = copy;
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        resolve_plain(node, length);
    return ZT_OK;
}

static zt_result on_open(yaml_reader *r, const yaml_event_t *event, document_kind kind)
{
    if (kind == DOCUMENT_MAP)
        ZT_TRY(check_plain_features(r, event, event->data.mapping_start.anchor,
                                    event->data.mapping_start.tag));
    else
        ZT_TRY(check_plain_features(r, event, event->data.sequence_start.anchor,
                                    event->data.sequence_start.tag));
    if (expects_key(r))
        return fail_at(r, event->start_mark, ZT_ERR_FORMAT,
                       "a map or list as a key (expected a name)");
    const uint32_t limit = document_depth_limit(r->a);
    if (r->depth == limit)
        return zt_fail(r->err, ZT_ERR_LIMIT, "%s:%zu:%zu: nested too deeply (at most %d levels)",
                       r->path, event->start_mark.line + 1, event->start_mark.column + 1,
                       (int)limit);
    document_node *node = NULL;
    ZT_TRY(add_node(r, event, kind, &node));
    r->open[r->depth++] = node;
    return ZT_OK;
}

static zt_result on_event(yaml_reader *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return on_scalar(r, event);
    case YAML_MAPPING_START_EVENT: return on_open(r, event, DOCUMENT_MAP);
    case YAML_SEQUENCE_START_EVENT: return on_open(r, event, DOCUMENT_LIST);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: r->depth--; return ZT_OK;
    case YAML_ALIAS_EVENT: return check_plain_features(r, event, event->data.alias.anchor, NULL);
    case YAML_DOCUMENT_START_EVENT:
        if (r->ended)
            return fail_at(r, event->start_mark, ZT_ERR_FORMAT,
                           "a second document (expected one scene per file)");
        return ZT_OK;
    case YAML_DOCUMENT_END_EVENT: r->ended = true; return ZT_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: break;
    }
    return ZT_OK;
}

static bool has_tag_directive(file_bytes bytes)
{
    static const char word[] = "%TAG";
    const uint8_t *at = bytes.data, *end = at + bytes.size;
    while ((at = memchr(at, word[0], (size_t)(end - at)))) {
        if (end - at >= 4 && memcmp(at, word, 4) == 0)
            return true;
        at++;
    }
    return false;
}

static void start_parser(yaml_parser_t *parser, file_bytes bytes)
{
    yaml_parser_set_input_string(parser, bytes.data, bytes.size);
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
}

/// Refuses %TAG directives before libyaml parses any: it compares each with all before it, and
/// gives no event until the last. Its scanner, which also tells them from text, takes them one by
/// one. What else is wrong is left to the parser.
static zt_result check_directives(yaml_reader *r, file_bytes bytes, arena *library)
{
    if (!has_tag_directive(bytes))
        return ZT_OK;
    if (!yaml_parser_initialize(&r->parser))
        return zt_fail(r->err, ZT_ERR_MEMORY, "%s: no memory for the YAML parser", r->path);
    start_parser(&r->parser, bytes);
    zt_result result = ZT_OK;
    bool more = true;
    for (size_t i = 0; more && result == ZT_OK; i++) {
        yaml_token_t token;
        if (!yaml_parser_scan(&r->parser, &token))
            break;
        if (token.type == YAML_TAG_DIRECTIVE_TOKEN)
            result = fail_at(r, token.start_mark, ZT_ERR_FORMAT,
                             "tags are not part of scene files (expected no %TAG)");
        else if (arena_cancelled_at(library, i))
            result = arena_fail(library, r->err, r->path);
        more = token.type != YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&r->parser);
    return result;
}

zt_result document_read_yaml(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                             zt_error *err)
{
    yaml_reader r = {.a = a, .path = path, .err = err};
    arena library;
    arena_init(&library, a->budget);
    *out_root = NULL;
    if (!arena_charge(&library, LIBRARY_BYTES + bytes.size * LIBRARY_TEXT_SHARE))
        return arena_fail(&library, err, path);
    zt_result result = check_directives(&r, bytes, &library);
    if (result == ZT_OK && !yaml_parser_initialize(&r.parser))
        result = zt_fail(err, ZT_ERR_MEMORY, "%s: no memory for the YAML parser", path);
    if (result != ZT_OK) {
        arena_finish(&library);
        return result;
    }
    start_parser(&r.parser, bytes);
    for (bool more = true; more && result == ZT_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r.parser, &event)) {
            result = fail_parser(&r);
            break;
        }
        result = on_event(&r, &event);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&r.parser);
    arena_finish(&library);
    if (result == ZT_OK && !r.root)
        result =
            zt_fail(err, ZT_ERR_FORMAT, "%s:1:1: the file is empty (expected 'format: 1')", path);
    *out_root = r.root;
    return result;
}

zt_result document_read(arena *a, const char *path, file_bytes bytes, document_node **out_root,
                        zt_error *err)
{
    return has_suffix(path, ".json") ? document_read_json(a, path, bytes, out_root, err)
                                     : document_read_yaml(a, path, bytes, out_root, err);
}
