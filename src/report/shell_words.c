// SPDX-License-Identifier: MIT
// See shell_words.h.
#include "report/shell_words.h"

#include "base/utf8.h"

#include <string.h>

static void add_char(shell_words *w, char one)
{
    if (w->length + 1 >= SHELL_WORDS_SIZE) {
        w->cut = true;
        return;
    }
    w->text[w->length++] = one;
    w->text[w->length] = 0;
}

static void add_quoted(shell_words *w, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            for (const char *escape = "'\\'"; *escape; escape++)
                add_char(w, *escape);
        add_char(w, *text);
    }
}

/// True for what terminals and pages are not shown as it is (utf8.h).
static bool is_hidden(const char *word)
{
    char shown[SHELL_WORDS_SIZE];
    snprintf(shown, sizeof shown, "%s", word);
    utf8_make_harmless(shown);
    return strcmp(shown, word) != 0;
}

/// As ANSI-C quoting, $'...' of POSIX.1-2024, which bash, zsh and ksh know: octal digits.
static void add_octal(shell_words *w, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c >= 0x20 && c < 0x7f && c != '\'' && c != '\\') {
            add_char(w, *text);
            continue;
        }
        add_char(w, '\\');
        for (int shift = 6; shift >= 0; shift -= 3)
            add_char(w, (char)('0' + (c >> shift & 7)));
    }
}

static void begin_word(shell_words *w)
{
    if (w->length > 0)
        add_char(w, ' ');
}

void shell_word(shell_words *w, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./,:=+@%-";
    const bool quotes = !word[0] || word[strspn(word, plain)];
    begin_word(w);
    if (is_hidden(word)) {
        add_char(w, '$');
        add_char(w, '\'');
        add_octal(w, word);
        add_char(w, '\'');
        return;
    }
    if (quotes)
        add_char(w, '\'');
    add_quoted(w, word);
    if (quotes)
        add_char(w, '\'');
}

void shell_path(shell_words *w, const char *path)
{
    if (path[0] != '-') {
        shell_word(w, path);
        return;
    }
    begin_word(w);
    add_quoted(w, "./");
    add_char(w, '\'');
    add_quoted(w, path);
    add_char(w, '\'');
}

void shell_pattern(shell_words *w, const char *name)
{
    if ((name[0] != '-' && !strpbrk(name, "*?[\\")) || is_hidden(name)) {
        shell_word(w, name);
        return;
    }
    begin_word(w);
    add_char(w, '\'');
    for (const char *c = name; *c; c++) {
        const char one[] = {*c, 0};
        const bool bracketed = strchr("*?[", *c) || (c == name && *c == '-');
        add_quoted(w, bracketed ? "[" : *c == '\\' ? "\\" : "");
        add_quoted(w, one);
        add_quoted(w, bracketed ? "]" : "");
    }
    add_char(w, '\'');
}

const char *shell_line(const shell_words *w, comparison_list *texts)
{
    return w->cut ? NULL : comparison_text(texts, "%s", w->text);
}
