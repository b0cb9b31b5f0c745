// SPDX-License-Identifier: MIT
/// From the bytes of an .x file to its tree. Texts and binary files give the same tokens; commas
/// and semicolons are none.
#include "base/bytes.h"
#include "base/number.h"
#include "base/text_scan.h"
#include "base/utf8.h"
#include "xfile/xfile_tree.h"

#include <string.h>

typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_TEXT,
    TOKEN_NUMBER,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OTHER ///< GUIDs, brackets, words of templates
} token_kind;

typedef struct token {
    token_kind kind;
    const char *text; ///< of a word or text, not terminated
    uint32_t length;
    double number;
    size_t at;
} token;

typedef struct parser {
    xfile_tree *tree;
    size_t at;
    uint32_t list_left; ///< numbers of a binary list that come next
    bool list_of_floats;
    zt_error *err;
} parser;

static zt_result fail(const parser *p, size_t at, const char *what)
{
    return xfile_fail(p->tree, ZT_ERR_FORMAT, at, p->err, "%s", what);
}

// ---- Texts --------------------------------------------------------------------------------------

static void skip_blanks(parser *p)
{
    const file_bytes b = p->tree->bytes;
    while (p->at < b.size) {
        const char c = (char)b.data[p->at];
        const bool comment =
            c == '#' || (c == '/' && p->at + 1 < b.size && b.data[p->at + 1] == '/');
        if (comment)
            while (p->at < b.size && !text_is_line_end((char)b.data[p->at]))
                p->at++;
        else if (text_is_space(c) || c == ',' || c == ';' || c == '\0')
            p->at++;
        else
            return;
    }
}

static bool is_word_end(char c) { return text_is_space(c) || strchr(",;{}<>[]\"", c) != NULL; }

static zt_result next_of_text(parser *p, token *out)
{
    skip_blanks(p);
    const file_bytes b = p->tree->bytes;
    const char *begin = (const char *)b.data + p->at, *end = (const char *)b.data + b.size;
    *out = (token){.at = p->at};
    if (begin == end)
        return ZT_OK;
    if (strchr("{}[]", *begin)) {
        out->kind = *begin == '{' ? TOKEN_OPEN : *begin == '}' ? TOKEN_CLOSE : TOKEN_OTHER;
        p->at++;
        return ZT_OK;
    }
    const char close = *begin == '"' ? '"' : *begin == '<' ? '>' : '\0';
    if (close) {
        const char *after = memchr(begin + 1, close, (size_t)(end - begin - 1));
        if (!after || after - begin > (ptrdiff_t)UINT32_MAX)
            return fail(p, p->at, "a text that has no end");
        out->kind = close == '"' ? TOKEN_TEXT : TOKEN_OTHER;
        out->text = begin + 1;
        out->length = (uint32_t)(after - begin - 1);
        p->at += (size_t)(after - begin) + 1;
        return ZT_OK;
    }
    const char *after = begin;
    while (after < end && after - begin < (ptrdiff_t)UINT32_MAX && !is_word_end(*after))
        after++;
    after += after == begin; // a character that is nothing
    p->at += (size_t)(after - begin);
    out->text = begin;
    out->length = (uint32_t)(after - begin);
    out->kind = TOKEN_WORD;
    if ((*begin >= '0' && *begin <= '9') || strchr("+-.", *begin) ||
        (after - begin < 16 && (*begin == 'n' || *begin == 'N')))
        if (number_parse_loose(begin, after, &out->number) == after)
            out->kind = TOKEN_NUMBER;
    return ZT_OK;
}

// ---- Binary files -------------------------------------------------------------------------------

enum {
    BINARY_NAME = 1,
    BINARY_STRING = 2,
    BINARY_INTEGER = 3,
    BINARY_GUID = 5,
    BINARY_INTEGERS = 6,
    BINARY_FLOATS = 7,
    BINARY_OPEN = 10,
    BINARY_CLOSE = 11,
    BINARY_COMMA = 19,
    BINARY_SEMICOLON = 20
};

static bool has(const parser *p, size_t size) { return p->tree->bytes.size - p->at >= size; }

static uint32_t take(parser *p, size_t size)
{
    const uint32_t value = (uint32_t)bytes_load_le(p->tree->bytes.data + p->at, size);
    p->at += size;
    return value;
}

/// The next number of a list.
static zt_result next_of_list(parser *p, token *out)
{
    const size_t size = p->list_of_floats && p->tree->wide ? 8 : 4;
    if (!has(p, size))
        return fail(p, p->at, "the file is cut off inside a list");
    const uint64_t bits = bytes_load_le(p->tree->bytes.data + p->at, size);
    const uint32_t word = (uint32_t)bits;
    float single;
    out->kind = TOKEN_NUMBER;
    out->number = (double)word;
    memcpy(&single, &word, sizeof single);
    if (p->list_of_floats && p->tree->wide)
        memcpy(&out->number, &bits, sizeof out->number);
    else if (p->list_of_floats)
        out->number = (double)single;
    p->at += size;
    p->list_left--;
    return ZT_OK;
}

static zt_result begin_list(parser *p, bool floats)
{
    if (!has(p, 4))
        return fail(p, p->at, "the file is cut off inside a list");
    p->list_left = take(p, 4);
    p->list_of_floats = floats;
    if (p->list_left > (p->tree->bytes.size - p->at) / 4)
        return fail(p, p->at - 4, "a list that is longer than the file");
    return ZT_OK;
}

static zt_result next_string(parser *p, token *out, bool is_name)
{
    const uint32_t length = has(p, 4) ? take(p, 4) : UINT32_MAX;
    if (!has(p, length))
        return fail(p, p->at, "a text that is longer than the file");
    out->kind = is_name ? TOKEN_WORD : TOKEN_TEXT;
    out->text = (const char *)p->tree->bytes.data + p->at;
    out->length = length;
    p->at += length;
    if (!is_name && has(p, 2)) // a comma or semicolon, which is part of it
        p->at += 2;
    return ZT_OK;
}

static zt_result next_of_binary(parser *p, token *out)
{
    for (;;) {
        *out = (token){.at = p->at};
        if (p->list_left > 0)
            return next_of_list(p, out);
        if (!has(p, 2)) {
            p->at = p->tree->bytes.size;
            return ZT_OK;
        }
        const uint32_t kind = take(p, 2);
        switch (kind) {
        case BINARY_NAME:
        case BINARY_STRING: return next_string(p, out, kind == BINARY_NAME);
        case BINARY_INTEGER:
            if (!has(p, 4))
                return fail(p, p->at, "the file is cut off inside a number");
            out->kind = TOKEN_NUMBER;
            out->number = (double)take(p, 4);
            return ZT_OK;
        case BINARY_GUID:
            if (!has(p, 16))
                return fail(p, p->at, "the file is cut off inside a GUID");
            p->at += 16;
            out->kind = TOKEN_OTHER;
            return ZT_OK;
        case BINARY_INTEGERS:
        case BINARY_FLOATS: ZT_TRY(begin_list(p, kind == BINARY_FLOATS)); continue;
        case BINARY_OPEN:
        case BINARY_CLOSE: out->kind = kind == BINARY_OPEN ? TOKEN_OPEN : TOKEN_CLOSE; return ZT_OK;
        case BINARY_COMMA:
        case BINARY_SEMICOLON: continue;
        default:
            if (kind > 52)
                return fail(p, out->at, "a token that is not known");
            out->kind = kind == 31 ? TOKEN_WORD : TOKEN_OTHER;
            out->text = "template";
            out->length = 8;
            return ZT_OK;
        }
    }
}

static zt_result next(parser *p, token *out)
{
    return p->tree->is_text ? next_of_text(p, out) : next_of_binary(p, out);
}

// ---- Objects ------------------------------------------------------------------------------------

static const char *keep_text(const parser *p, const token *t)
{
    char *text = arena_text(p->tree->a, t->text ? t->text : "", t->length);
    if (text)
        utf8_make_harmless(text);
    return text;
}

static xfile_object *add_object(const parser *p, xfile_object *parent, const token *type)
{
    xfile_object *object = ARENA_ARRAY(p->tree->a, xfile_object, 1);
    if (!object)
        return NULL;
    object->name = "";
    object->type = type ? keep_text(p, type) : "";
    object->at = type ? type->at : p->at;
    if (parent->last)
        parent->last->next = object;
    else
        parent->child = object;
    parent->last = object;
    return object->type ? object : NULL;
}

static zt_result add_text(const parser *p, xfile_object *o, const token *t)
{
    ZT_TRY(ARENA_GROW(p->tree->a, o->text, o->text_count, o->text_capacity, "texts", p->err));
    o->text[o->text_count] = keep_text(p, t);
    return o->text[o->text_count++] ? ZT_OK : arena_fail(p->tree->a, p->err, "texts");
}

static zt_result skip_template(parser *p)
{
    token t;
    do
        ZT_TRY(next(p, &t));
    while (t.kind != TOKEN_CLOSE && t.kind != TOKEN_END);
    return ZT_OK;
}

/// "{ NAME }" or "{ NAME <GUID> }" after its brace: another object stands here.
static zt_result read_reference(parser *p, xfile_object *parent)
{
    xfile_object *object = add_object(p, parent, NULL);
    if (!object)
        return arena_fail(p->tree->a, p->err, "objects");
    for (;;) {
        token t;
        ZT_TRY(next(p, &t));
        if (t.kind == TOKEN_CLOSE || t.kind == TOKEN_END)
            return ZT_OK;
        if (t.kind != TOKEN_WORD && t.kind != TOKEN_NUMBER)
            continue;
        object->name = keep_text(p, &t);
        if (!object->name)
            return arena_fail(p->tree->a, p->err, "a name");
    }
}

static zt_result read_object(parser *p, xfile_object *parent, const token *type, int depth);

/// A token inside of an object (or of the file, whose depth is 0).
static zt_result read_part(parser *p, xfile_object *object, const token *t, int depth)
{
    switch (t->kind) {
    case TOKEN_NUMBER:
        ZT_TRY(ARENA_GROW(p->tree->a, object->number, object->number_count, object->number_capacity,
                          "numbers", p->err));
        object->number[object->number_count++] = t->number;
        return ZT_OK;
    case TOKEN_TEXT: return add_text(p, object, t);
    case TOKEN_OPEN: return read_reference(p, object);
    case TOKEN_WORD:
        if (t->length == 8 && memcmp(t->text, "template", 8) == 0)
            return skip_template(p);
        return read_object(p, object, t, depth + 1);
    case TOKEN_END:
    case TOKEN_CLOSE:
    case TOKEN_OTHER: break;
    }
    return ZT_OK;
}

/// "TYPE [NAME] {" after its type, to the brace that closes it.
static zt_result read_object(parser *p, xfile_object *parent, const token *type, int depth)
{
    token t;
    if (depth > XFILE_DEPTH)
        return xfile_fail(p->tree, ZT_ERR_LIMIT, type->at, p->err, "objects in more than %d others",
                          XFILE_DEPTH);
    xfile_object *object = arena_cancelled(p->tree->a) ? NULL : add_object(p, parent, type);
    if (!object)
        return arena_fail(p->tree->a, p->err, "objects");
    ZT_TRY(next(p, &t));
    if (t.kind == TOKEN_WORD || t.kind == TOKEN_NUMBER) {
        object->name = p->tree->is_text || t.kind == TOKEN_WORD ? keep_text(p, &t) : "";
        if (!object->name)
            return arena_fail(p->tree->a, p->err, "a name");
        ZT_TRY(next(p, &t));
    }
    if (t.kind != TOKEN_OPEN)
        return fail(p, t.at, "an object without its brace (expected '{')");
    for (uint32_t i = 0;; i++) {
        ZT_TRY(next(p, &t));
        if (t.kind == TOKEN_CLOSE)
            return ZT_OK;
        if (t.kind == TOKEN_END)
            return fail(p, t.at, "the file ends inside an object (expected '}')");
        ZT_TRY(arena_go_on_at(p->tree->a, i, "objects", p->err));
        ZT_TRY(read_part(p, object, &t, depth));
    }
}

zt_result xfile_parse(xfile_tree *tree, zt_error *err)
{
    parser p = {.tree = tree, .err = err};
    tree->root.type = tree->root.name = "";
    for (;;) {
        token t;
        ZT_TRY(next(&p, &t));
        if (t.kind == TOKEN_END)
            return ZT_OK;
        ZT_TRY(read_part(&p, &tree->root, &t, 0));
    }
}
