// SPDX-License-Identifier: MIT
/// Paths as text; nothing here looks at the file system.
#pragma once

#include "base/arena.h"

/// `folder of base`/`name`; `name` alone when it is absolute or base has no folder. NULL: arena.
char *path_sibling(arena *a, const char *base, const char *name);
char *path_join(arena *a, const char *folder, const char *name);
/// False for a name that leads out of the folder it is looked for in: an absolute one, or one with
/// more ".." than folders before. Slashes of both kinds separate.
bool path_stays_inside(const char *name);
/// The length of the folder in a path, with its slash; 0 without one.
size_t path_folder_length(const char *path);
/// The folder with its slash, "." for a name alone, cut to `size`; returns `out`.
char *path_folder(const char *path, char *out, size_t size);
/// The length of a path without the suffix of its name. A dot in front of a name begins none.
size_t path_stem_length(const char *path);
/// The part after the last slash, and the lower-case extension without a dot ("" for none).
const char *path_name(const char *path);
void path_extension(const char *path, char out_extension[8]);
/// True for a name that ends so, in letters of either case, and is more than that; `suffix` is in
/// lower case, with its dot.
bool has_suffix(const char *path, const char *suffix);

/// Slashes of both kinds: models name their textures with either.
static inline bool path_is_separator(char c) { return c == '/' || c == '\\'; }
