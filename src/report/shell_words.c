// SPDX-License-Identifier: MIT
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

static void add_text(shell_words *w, const char *text)
{
    while (*text)
        add_char(w, *text++);
}

static void add_quoted(shell_words *w, const char *text)
{
    add_char(w, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            add_text(w, "'\\'");
        add_char(w, *text);
    }
    add_char(w, '\'');
}

/// True for what terminals and pages are not shown as it is (utf8.h).
static bool is_hidden(const char *word)
{
    char shown[SHELL_WORDS_SIZE];
    snprintf(shown, sizeof shown, "%s", word);
    utf8_make_harmless(shown);
    return strcmp(shown, word) != 0;
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_./,:=+@%-";

/// By printf, in octal: sh has no escapes. "$(...)" loses newlines at the end, which are taken from
/// IFS: a space, a tab and a newline.
static void add_octal(shell_words *w, const char *text)
{
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == '\n')
        end--;
    add_text(w, "\"$(printf '");
    for (size_t i = 0; i < end; i++) {
        if (strchr(plain, text[i]) && !strchr("%-", text[i])) {
            add_char(w, text[i]);
            continue;
        }
        add_char(w, '\\');
        for (int shift = 6; shift >= 0; shift -= 3)
            add_char(w, (char)('0' + ((unsigned char)text[i] >> shift & 7)));
    }
    add_text(w, "')");
    for (; text[end]; end++)
        add_text(w, "${IFS#??}");
    add_char(w, '"');
}

void shell_word(shell_words *w, const char *word)
{
    if (w->length > 0)
        add_char(w, ' ');
    if (is_hidden(word))
        add_octal(w, word);
    else if (word[0] && !word[strspn(word, plain)])
        add_text(w, word);
    else
        add_quoted(w, word);
}

void shell_path(shell_words *w, const char *path)
{
    char below[SHELL_WORDS_SIZE];
    snprintf(below, sizeof below, "%s%s", path[0] == '-' ? "./" : "", path);
    shell_word(w, below);
}

void shell_pattern(shell_words *w, const char *name)
{
    char pattern[SHELL_WORDS_SIZE] = "";
    size_t used = 0;
    for (const char *c = name; *c && used + 3 < sizeof pattern; c++) {
        const bool bracketed = strchr("*?[", *c) || (c == name && *c == '-');
        used += (size_t)snprintf(pattern + used, 4,
                                 bracketed    ? "[%c]"
                                 : *c == '\\' ? "\\%c"
                                              : "%c",
                                 *c);
    }
    shell_word(w, is_hidden(name) ? name : pattern);
}

const char *shell_line(const shell_words *w, comparison_list *texts)
{
    return w->cut ? NULL : comparison_text(texts, "%s", w->text);
}
