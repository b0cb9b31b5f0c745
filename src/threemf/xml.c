// SPDX-License-Identifier: MIT
/// See xml.h. Reference: W3C, Extensible Markup Language (XML) 1.0, fifth edition.
#include "threemf/xml.h"

#include "base/bytes.h"
#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

zt_result xml_decode(arena *a, file_bytes *bytes, zt_error *err)
{
    const uint8_t *d = bytes->data;
    const uint64_t first = bytes->size < 2 ? 0 : bytes_load_be(d, 2);
    const bool big = first == 0xfeff || first == '<';
    if (!big && first != 0xfffe && first != '<' << 8)
        return ZT_OK;
    char *begin, *to;
    ZT_TRY(ARENA_TAKE_RAW(a, &begin, bytes->size / 2 * 3 + 1, "a text", err));
    to = begin;
    for (size_t i = 0; i + 1 < bytes->size; i += 2) {
        const uint64_t code = big ? bytes_load_be(d + i, 2) : bytes_load_le(d + i, 2);
        to += utf8_encode(code >> 11 == 0x1b ? 0xfffd : (uint32_t)code, to);
    }
    *to = '\0';
    *bytes = (file_bytes){(const uint8_t *)begin, (size_t)(to - begin)};
    return ZT_OK;
}

void xml_begin(xml_reader *x, const char *path, const char *begin, size_t size, zt_error *err)
{
    *x = (xml_reader){.text = {path, begin, begin, begin + size, err}, .element = begin};
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0)
        x->text.at += 3;
}

bool xml_is(xml_slice s, const char *text)
{
    const size_t length = (size_t)(s.end - s.begin);
    return strlen(text) == length && memcmp(s.begin, text, length) == 0;
}

/// Moves behind a word; false: it does not come.
static bool skip_past(xml_reader *x, const char *word)
{
    const size_t length = strlen(word);
    for (; (size_t)(x->text.end - x->text.at) >= length; x->text.at++)
        if (*x->text.at == *word && memcmp(x->text.at, word, length) == 0) {
            x->text.at += length;
            return true;
        }
    return false;
}

static bool is_name_end(char c) { return text_is_space(c) || strchr("<>/=?\"'", c) != NULL; }

/// A name; the part before its colon in *prefix.
static zt_result read_name(xml_reader *x, xml_slice *prefix, xml_slice *out)
{
    const char *begin = x->text.at;
    *prefix = (xml_slice){begin, begin};
    while (x->text.at < x->text.end && !is_name_end(*x->text.at)) {
        if (*x->text.at == ':') {
            *prefix = (xml_slice){begin, x->text.at};
            begin = x->text.at + 1;
        }
        x->text.at++;
    }
    *out = (xml_slice){begin, x->text.at};
    return out->begin < out->end ? ZT_OK : text_scan_unexpected(&x->text, false, "a name");
}

static zt_result read_attribute(xml_reader *x)
{
    xml_attribute a;
    ZT_TRY(read_name(x, &a.prefix, &a.name));
    if (!text_scan_next(&x->text) || *x->text.at != '=')
        return text_scan_unexpected(&x->text, false, "'='");
    x->text.at++;
    if (!text_scan_next(&x->text) || (*x->text.at != '"' && *x->text.at != '\''))
        return text_scan_unexpected(&x->text, false, "a value in quotes");
    const char quote = *x->text.at++;
    const char *end = memchr(x->text.at, quote, (size_t)(x->text.end - x->text.at));
    if (!end)
        return text_scan_unexpected(&x->text, false, "the end of a value");
    a.value = (xml_slice){x->text.at, end};
    x->text.at = end + 1;
    if (x->attribute_count < XML_ATTRIBUTES)
        x->attribute[x->attribute_count++] = a;
    return ZT_OK;
}

static zt_result read_open(xml_reader *x)
{
    xml_slice prefix;
    x->attribute_count = 0;
    ZT_TRY(read_name(x, &prefix, &x->name));
    if (x->depth == XML_DEPTH)
        return xml_fail(x, ZT_ERR_LIMIT, "elements in more than %d others", XML_DEPTH);
    for (;;) {
        if (!text_scan_next(&x->text))
            return text_scan_unexpected(&x->text, false, "'>'");
        if (*x->text.at == '>' || *x->text.at == '/')
            break;
        ZT_TRY(read_attribute(x));
    }
    x->closes = *x->text.at == '/';
    x->text.at += x->closes;
    if (x->text.at == x->text.end || *x->text.at != '>')
        return text_scan_unexpected(&x->text, false, "'>'");
    x->text.at++;
    x->open[x->depth++] = x->name;
    return ZT_OK;
}

static zt_result read_close(xml_reader *x)
{
    xml_slice prefix;
    ZT_TRY(read_name(x, &prefix, &x->name));
    const xml_slice *open = x->depth > 0 ? &x->open[--x->depth] : NULL;
    const size_t length = (size_t)(x->name.end - x->name.begin);
    if (!open || (size_t)(open->end - open->begin) != length ||
        memcmp(open->begin, x->name.begin, length) != 0)
        return xml_fail(x, ZT_ERR_FORMAT, "the end of an element that is not open");
    if (!text_scan_next(&x->text) || *x->text.at != '>')
        return text_scan_unexpected(&x->text, false, "'>'");
    x->text.at++;
    return ZT_OK;
}

/// Comments, instructions and CDATA after "<!" or "<?".
static zt_result skip_markup(xml_reader *x)
{
    const size_t left = (size_t)(x->text.end - x->text.at);
    const char *end = *x->text.at == '?'                                   ? "?>"
                      : left > 3 && memcmp(x->text.at, "!--", 3) == 0      ? "-->"
                      : left > 8 && memcmp(x->text.at, "![CDATA[", 8) == 0 ? "]]>"
                                                                           : NULL;
    if (!end)
        return xml_fail(x, ZT_ERR_FORMAT, "a document type is not allowed here");
    return skip_past(x, end) ? ZT_OK : xml_fail(x, ZT_ERR_FORMAT, "markup that has no end");
}

zt_result xml_next(xml_reader *x, xml_event *out)
{
    if (x->closes) {
        x->closes = false;
        x->depth--;
        *out = XML_CLOSE;
        return ZT_OK;
    }
    for (;;) {
        const char *open = memchr(x->text.at, '<', (size_t)(x->text.end - x->text.at));
        x->element = x->text.at = open ? open : x->text.end;
        if (!open) {
            *out = XML_END;
            return x->depth == 0 ? ZT_OK
                                 : text_scan_unexpected(&x->text, false, "the end of an element");
        }
        if (++x->text.at == x->text.end)
            return text_scan_unexpected(&x->text, false, "a name");
        if (*x->text.at == '/') {
            x->text.at++;
            *out = XML_CLOSE;
            return read_close(x);
        }
        if (*x->text.at != '!' && *x->text.at != '?') {
            *out = XML_OPEN;
            return read_open(x);
        }
        ZT_TRY(skip_markup(x));
    }
}

const xml_slice *xml_attribute_of(const xml_reader *x, const char *name)
{
    for (uint32_t i = 0; i < x->attribute_count; i++)
        if (xml_is(x->attribute[i].name, name))
            return &x->attribute[i].value;
    return NULL;
}

/// The character of a reference at `from`, after '&'; returns what follows it, or NULL.
static const char *resolve(const char *from, const char *end, uint32_t *out)
{
    static const struct {
        const char *name;
        char character;
    } known[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t length = strlen(known[i].name);
        if ((size_t)(end - from) >= length && memcmp(from, known[i].name, length) == 0) {
            *out = (uint32_t)known[i].character;
            return from + length;
        }
    }
    if (from == end || *from++ != '#')
        return NULL;
    const bool hex = from < end && *from == 'x';
    from += hex;
    *out = 0;
    for (; from < end && *from != ';' && *out < 0x110000; from++) {
        const int digit = ascii_hex_digit(*from);
        if (digit < 0 || (!hex && digit > 9))
            return NULL;
        *out = *out * (hex ? 16u : 10u) + (uint32_t)digit;
    }
    return from < end && *from == ';' && *out > 0 && *out < 0x110000 &&
                   !(*out >= 0xd800 && *out < 0xe000)
               ? from + 1
               : NULL;
}

const char *xml_text(arena *a, const xml_slice *value)
{
    if (!value)
        return "";
    char *text = arena_text(a, value->begin, (size_t)(value->end - value->begin)), *to = text;
    for (const char *from = value->begin; text && from < value->end;) {
        uint32_t code;
        const char *after = *from == '&' ? resolve(from + 1, value->end, &code) : NULL;
        char bytes[4];
        if (after) { // no longer than the reference
            const size_t length = utf8_encode(code, bytes);
            memcpy(to, bytes, length);
            to += length;
            from = after;
        } else {
            *to++ = *from++;
        }
    }
    if (text) {
        *to = '\0';
        utf8_make_harmless(text);
    }
    return text;
}

bool xml_number(const xml_reader *x, const char *name, double *out)
{
    const xml_slice *value = xml_attribute_of(x, name);
    if (!value)
        return false;
    const char *from = value->begin;
    while (from < value->end && text_is_space(*from))
        from++;
    return number_parse_loose(from, value->end, out) != NULL;
}

uint32_t xml_index(const xml_reader *x, const char *name)
{
    const xml_slice *value = xml_attribute_of(x, name);
    int64_t number;
    if (!value || !number_parse_int64(value->begin, value->end, &number) || number < 0 ||
        number >= (int64_t)UINT32_MAX)
        return UINT32_MAX;
    return (uint32_t)number;
}
