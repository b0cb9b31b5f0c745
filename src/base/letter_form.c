// SPDX-License-Identifier: MIT
/// See letter_form.h. The tables are canonical decompositions of UnicodeData.txt.
#include "base/letter_form.h"

#include "base/utf8.h"

#include <stdint.h>
#include <string.h>
#include <uchar.h>

/// Letters that follow each other in Unicode.
typedef struct letter_row {
    uint32_t first, count;
    const char16_t *letter; ///< [count] without its last mark; a space: it has none
    const char *mark;       ///< [count] as in `marks`
} letter_row;

// clang-format off
static const letter_row rows[] = {
    {0x00C0, 70, u"AAAAAA CEEEEIIII NOOOOO  UUUUY  aaaaaa ceeeeiiii nooooo  uuuuy yAaAaAa",
     "`'^~:o c`'^:`'^: ~`'^~:  `'^:'  `'^~:o c`'^:`'^: ~`'^~:  `'^:' :--uu;;"},
    {0x0106, 67, u"CcCcCcCcDd  EeEeEeEeEeGgGgGgGgHh  IiIiIiIiI   JjKk LlLlLl    NnNnNn",
     "''^^..vvvv  --uu..;;vv^^uu..cc^^  ~~--uu;;.   ^^cc ''ccvv    ''ccvv"},
    {0x014C, 51, u"OoOoOo  RrRrRrSsSsSsSsTtTt  UuUuUuUuUuUuWwYyYZzZzZz",
     "--uu\"\"  ''ccvv''^^ccvvccvv  ~~--uuoo\"\";;^^^^:''..vv"},
    {0x01A0, 17, u"Oo             Uu", "++             ++"},
    {0x0218, 4, u"SsTt", ",,,,"},
    {0x0386, 11, u"Α ΕΗΙ Ο ΥΩϊ", "' ''' ' '''"},
    {0x03AA, 7, u"ΙΥαεηιϋ", "::'''''"},
    {0x03CA, 5, u"ιυουω", "::'''"},
    {0x0400, 26, u"ЕЕ Г   І    КИУ          И", "`: '   :    '`u          u"},
    {0x0439, 38, u"и                      ее г   і    киу", "u                      `: '   :    '`u"},
    {0x1EA0, 42, u"AaAaÂâÂâÂâÂâẠạĂăĂăĂăĂăẠạEeEeEeÊêÊêÊêÊêẸẹIi",
     "!!hh''``hh~~^^''``hh~~uu!!hh~~''``hh~~^^hh"},
    {0x1ECA, 48, u"IiOoOoÔôÔôÔôÔôỌọƠơƠơƠơƠơƠơUuUuƯưƯưƯưƯưƯưYyYyYyYy",
     "!!!!hh''``hh~~^^''``hh~~!!!!hh''``hh~~!!``!!hh~~"},
    {0x304C, 50, u"か き く け こ さ し す せ そ た ち  つ て と      はは ひひ ふふ へへ ほほ",
     "* * * * * * * * * * * *  * * *      *0 *0 *0 *0 *0"},
    {0x3094, 1, u"う", "*"},
    {0x30F7, 4, u"ワヰヱヲ", "****"},
};
// clang-format on

static const char mark_names[] = "`'^~-u.:ho\"v+!,c;*0";
static const char16_t marks[] = {0x300, 0x301, 0x302, 0x303,  0x304, 0x306, 0x307,
                                 0x308, 0x309, 0x30A, 0x30B,  0x30C, 0x31B, 0x323,
                                 0x326, 0x327, 0x328, 0x3099, 0x309A};

/// Hangul (The Unicode Standard, 3.12): initial, vowel, final.
enum { SYLLABLE = 0xAC00, SYLLABLES = 11172, INITIAL = 0x1100, VOWEL = 0x1161, FINAL = 0x11A7 };

/// Splits a known letter; *out_letter may have a further mark. False: it is no such letter.
static bool split(uint32_t code, uint32_t *out_letter, uint32_t *out_mark)
{
    const uint32_t syllable = code - SYLLABLE;
    if (code >= SYLLABLE && syllable < SYLLABLES) {
        const uint32_t final = syllable % 28, pair = syllable / 28;
        *out_letter = final ? code - final : INITIAL + pair / 21;
        *out_mark = final ? FINAL + final : VOWEL + pair % 21;
        return true;
    }
    // Katakana stand as hiragana do, which they follow.
    const uint32_t behind = code >= 0x30AC && code <= 0x30F4 ? 0x60 : 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t index = code - behind - rows[i].first;
        if (code < rows[i].first || index >= rows[i].count || rows[i].letter[index] == ' ')
            continue;
        *out_letter = rows[i].letter[index] + behind;
        *out_mark = marks[strchr(mark_names, rows[i].mark[index]) - mark_names];
        return true;
    }
    return false;
}

/// A text, letter by letter.
typedef struct reader {
    const char *at, *end;
    uint32_t marks[3]; ///< [count] of the last letter, the next one last
    uint32_t count;
} reader;

/// The next letter without its marks, or mark, or byte that is not UTF-8; 0 at the end.
static uint32_t next(reader *r)
{
    if (r->count > 0)
        return r->marks[--r->count];
    if (r->at == r->end)
        return 0;
    const size_t length = utf8_length(r->at, r->end);
    uint32_t code = length ? utf8_decode(r->at, length) : 0x110000u + (uint8_t)*r->at;
    r->at += length ? length : 1;
    while (r->count < 3 && split(code, &code, &r->marks[r->count]))
        r->count++;
    return code;
}

static uint32_t lower(uint32_t code) { return code >= 'A' && code <= 'Z' ? code + 32 : code; }

bool letters_are_same(const char *text, const char *other, size_t length, bool any_case)
{
    reader a = {.at = text, .end = text + strlen(text)};
    reader b = {.at = other, .end = other + length};
    for (;;) {
        const uint32_t one = next(&a), two = next(&b);
        if (any_case ? lower(one) != lower(two) : one != two)
            return false;
        if (one == 0)
            return true;
    }
}
