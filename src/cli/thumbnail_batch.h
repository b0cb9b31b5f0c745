// SPDX-License-Identifier: MIT
/// Thumbnails of many models, side by side in workers.
#pragma once

#include "cli/thumbnail_picture.h"
#include "thumbnail/thumbnail_list.h"

/// Makes the pictures of all items; returns the highest code of all models, that of a stop
/// included. With --stats in this process, by w->renderer; otherwise that is NULL.
int thumbnail_batch(const thumbnail_work *w, options *o, const thumbnail_item *items, size_t count);
