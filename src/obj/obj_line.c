// SPDX-License-Identifier: MIT
#include "obj/obj_line.h"

#include "base/number.h"

#include <string.h>
#include <strings.h>

/// The length of a backslash with the end of its line; 0: there is none.
static size_t joint_at(const text_scan *text, const char *c)
{
    if (*c != '\\')
        return 0;
    const size_t left = (size_t)(text->end - c);
    if (left > 2 && c[1] == '\r' && c[2] == '\n')
        return 3;
    return left > 1 && text_is_line_end(c[1]) ? 2 : 0;
}

static void skip_blanks(text_scan *text)
{
    while (text->at < text->end) {
        const size_t joint = joint_at(text, text->at);
        if (!joint && (!text_is_space(*text->at) || text_is_line_end(*text->at)))
            return;
        text->at += joint ? joint : 1;
    }
}

bool obj_word_next(text_scan *text)
{
    skip_blanks(text);
    return text->at < text->end && !text_is_line_end(*text->at) && *text->at != '#';
}

void obj_line_skip(text_scan *text)
{
    while (text->at < text->end && !text_is_line_end(*text->at)) {
        const size_t joint = joint_at(text, text->at);
        text->at += joint ? joint : 1;
    }
}

bool obj_line_next(text_scan *text)
{
    for (;;) {
        skip_blanks(text);
        if (text->at >= text->end)
            return false;
        if (*text->at == '#' && strncasecmp(text->at, "#MRGB ", 6) != 0) // colours of ZBrush
            while (text->at < text->end && !text_is_line_end(*text->at))
                text->at++; // a comment is not joined with the next line
        else if (text_is_line_end(*text->at))
            text->at++;
        else
            return true;
    }
}

static const char *word_end(const text_scan *text)
{
    const char *c = text->at;
    while (c < text->end && !text_is_space(*c) && !joint_at(text, c))
        c++;
    return c;
}

bool obj_word_is(text_scan *text, const char *word)
{
    const char *end = word_end(text);
    const size_t length = strlen(word);
    if ((size_t)(end - text->at) != length || strncasecmp(text->at, word, length) != 0)
        return false;
    text->at = end;
    return true;
}

void obj_word_skip(text_scan *text) { text->at = word_end(text); }

bool obj_number_next(text_scan *text, double *out)
{
    if (!obj_word_next(text))
        return false;
    const char *after = number_parse_loose(text->at, text->end, out);
    if (!after)
        return false;
    text->at = word_end(text); // what follows a number in a word has no meaning
    return true;
}

char *obj_rest(text_scan *text, arena *a)
{
    skip_blanks(text);
    const char *first = text->at;
    obj_line_skip(text);
    char *out = arena_text(a, first, (size_t)(text->at - first)), *to = out;
    const text_scan whole = {.at = first, .end = text->at};
    for (const char *c = first; out && c < text->at;) {
        const size_t joint = joint_at(&whole, c);
        *to++ = joint || *c == 0 ? ' ' : *c;
        c += joint ? joint : 1;
    }
    while (out && to > out && text_is_space(to[-1]))
        to--;
    if (out)
        *to = 0;
    return out;
}
