// SPDX-License-Identifier: MIT
/// One model to one picture, and many models, next to each other in workers.
#pragma once

#include "cli/thumbnail_report.h"
#include "thumbnail/thumbnail_list.h"

typedef struct thumbnail_work {
    const options *o;
    zt_renderer *renderer;
    thumbnail_report *report;
    drawn_stats *files; ///< gets what encoding and writing took in this process
    const char *cache;  ///< of --freedesktop; otherwise NULL
} thumbnail_work;

/// Makes the picture at `path` ("-": stdout) unless it may stay. `cache`: `path` is NULL, by model.
void thumbnail_picture(const thumbnail_work *w, const char *input, const char *path,
                       thumbnail_outcome *out);

/// Makes the pictures of all items; returns the highest code of all models, that of a stop
/// included. With --stats in this process, by w->renderer; otherwise that is NULL.
int thumbnail_batch(const thumbnail_work *w, options *o, const thumbnail_item *items, size_t count);
