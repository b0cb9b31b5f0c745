// SPDX-License-Identifier: MIT
/// The models of a batch, by names and from folders, and the names of their pictures.
#pragma once

#include "base/error.h"

#include <zoetrope/zoetrope.h>

typedef struct thumbnail_item {
    const char *path;   ///< of the model, as it is opened
    const char *folder; ///< of the model below `tree`; for a file by name its folder as it was
                        ///< given, without "." and ".."; "" for none, no slash at its ends
    const char *tree;   ///< the folder that was given and searched, likewise; NULL: a file by name
    const char *name;   ///< path of the picture; NULL before thumbnail_list_name()
    const char *fault;  ///< why it has no picture: a folder that cannot be read, or a name that
                        ///< would lead out of the folder of all or is that of a model; NULL: it
                        ///< has one
    bool dropped;       ///< the same file was given twice
    int level, next_level; ///< of the names that were tried, see thumbnail_names.c
    size_t leader;         ///< 1 + the index of the first item that had its name; 0: it is alone
    size_t strip;          ///< bytes of TREE/FOLDER/ that its name leaves out
    uint32_t copies;       ///< items after it that had its name and got a number
} thumbnail_item;

typedef struct text_block text_block;

typedef struct thumbnail_list {
    thumbnail_item *items;
    size_t count, capacity;
    text_block *texts;       ///< what the items point to, but for the arguments
    zt_budget *budget;       ///< is charged; NULL: none
    const zt_cancel *cancel; ///< is asked between files; NULL: nobody
    bool follow_links;       ///< those to folders, and out of the folder, count
    size_t passed_over;      ///< files of models in other formats
    const char *passed;      ///< the first of them
    size_t links;            ///< to models and folders that were not followed out of the folder
    const char *link;        ///< the first of them
} thumbnail_list;

/// Adds the models of `path`: itself, or those in a folder and below, in byte order of names.
/// Names with a dot in front and links to folders and out of the folder are passed over; files of
/// models in other formats, and links that lead out, are counted. A folder that is unreadable, 128
/// deep or without models is an item with a fault. `path` must outlive the list. ZT_ERR_MEMORY,
/// ZT_ERR_LIMIT (memory), ZT_ERR_CANCELLED.
zt_result thumbnail_list_add(thumbnail_list *list, const char *path, zt_error *err);

/// The naming of pictures.
typedef struct thumbnail_naming {
    const char *outdir;    ///< the folder of all
    const char *pattern;   ///< with {dir} {stem} {hash} {ext}; NULL: DIR/STEM.EXT, see below
    const char *extension; ///< "png"
} thumbnail_naming;

/// Names the pictures, each differently. Without a pattern a model by name becomes STEM.EXT and one
/// of a searched folder keeps its folders below it. Where names would be equal: with so much more
/// of their folders as differs; then with the whole name of the file, SCENE.GLB.EXT; then with
/// numbers, -2 and on. With a pattern numbers only. {hash} is 16 digits, of the bytes of the model
/// file. An item whose name a pattern makes that of a model, a scene or of something out of the
/// folder has a fault. ZT_ERR_ARGUMENT for a wrong pattern; ZT_ERR_MEMORY, ZT_ERR_LIMIT,
/// ZT_ERR_CANCELLED. A file that cannot be read has the hash of no bytes: opening it will say why.
zt_result thumbnail_list_name(thumbnail_list *list, const thumbnail_naming *naming, zt_error *err);

/// Gives a fault to each item whose picture would replace a model of the list, by whichever name.
/// After thumbnail_list_name(). ZT_ERR_MEMORY, ZT_ERR_LIMIT, ZT_ERR_CANCELLED.
zt_result thumbnail_list_guard(thumbnail_list *list, zt_error *err);

void thumbnail_list_finish(thumbnail_list *list);

/// True when a name has the suffix of a model or of a scene.
bool thumbnail_is_input_name(const char *name);
/// A copy of `length` bytes and a 0, as long-lived as the list. NULL: no memory, *err.
char *thumbnail_list_text(thumbnail_list *list, const char *text, size_t length, zt_error *err);
