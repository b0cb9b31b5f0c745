// SPDX-License-Identifier: MIT
/// One model to one picture.
#pragma once

#include "cli/thumbnail_report.h"

typedef struct thumbnail_work {
    const options *o;
    zt_renderer *renderer;
    thumbnail_report *report;
    const char *cache; ///< of --freedesktop; otherwise NULL
} thumbnail_work;

/// Makes the picture at `path` ("-": stdout) unless it may stay. `cache`: `path` is NULL, by model.
void thumbnail_picture(const thumbnail_work *w, const char *input, const char *path,
                       thumbnail_outcome *out);
