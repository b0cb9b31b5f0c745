// SPDX-License-Identifier: MIT
// See shell_words.h.
#include "report/shell_words.h"

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
    if (name[0] != '-' && !strpbrk(name, "*?[\\")) {
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
