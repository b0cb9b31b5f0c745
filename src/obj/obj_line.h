// SPDX-License-Identifier: MIT
/// Lines of OBJ and MTL files: a backslash before the end of a line joins it with the next.
#pragma once

#include "base/arena.h"
#include "base/text_scan.h"

/// Moves to the first word of the next line that has one, past comments. False: there is none.
bool obj_line_next(text_scan *text);
/// Moves to the next word of the line. False: the line has none.
bool obj_word_next(text_scan *text);
/// Moves over the word, which must be `word`, in any case. False: it is another, and nothing moves.
bool obj_word_is(text_scan *text, const char *word);
/// Moves over a word.
void obj_word_skip(text_scan *text);
/// Moves to the end of the line.
void obj_line_skip(text_scan *text);
/// The number that the next word begins with, NaN for one that is not finite. False: the line has
/// no more, or another word, and nothing moves.
bool obj_number_next(text_scan *text, double *out);
/// The rest of the line without blanks at its ends, copied into `a`, with a blank for each place
/// where lines are joined. NULL: no memory.
char *obj_rest(text_scan *text, arena *a);
