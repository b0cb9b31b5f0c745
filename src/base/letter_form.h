// SPDX-License-Identifier: MIT
/// Letters with marks in the two normal forms of Unicode (UAX 15): é is one character (NFC, as
/// Windows and Linux write it) or e and a mark (NFD, as macOS stores it). Known are the letters of
/// Latin from U+00C0 to U+017E, those of Romanian and Vietnamese; Greek with one accent; Cyrillic
/// from U+0400 to U+045E; kana; and the syllables of Hangul.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// For messages, with the other text.
#define LETTERS_DIFFER "differs from '%.200s' only in its Unicode normal form (NFC and NFD)"

/// True when a text and `length` bytes of another are the same letters in either form;
/// `any_case`: also where A to Z and a to z differ in case.
bool letters_are_same(const char *text, const char *other, size_t length, bool any_case);
