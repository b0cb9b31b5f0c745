// SPDX-License-Identifier: MIT
/// Command lines that people copy from a report: words quoted for sh.
#pragma once

#include "report/comparison.h"

enum { SHELL_WORDS_SIZE = 16384 };

/// Begins zeroed.
typedef struct shell_words {
    char text[SHELL_WORDS_SIZE];
    size_t length;
    bool cut; ///< something did not fit
} shell_words;

/// Appends a word, in single quotes unless every shell takes it as it is.
void shell_word(shell_words *words, const char *word);
/// A path, which must not look like a flag.
void shell_path(shell_words *words, const char *path);
/// A pattern that matches this name and no other, and does not look like a flag.
void shell_pattern(shell_words *words, const char *name);
/// The line as a text of the list; NULL: no memory, or it was too long.
const char *shell_line(const shell_words *words, comparison_list *texts);
