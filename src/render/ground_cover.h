// SPDX-License-Identifier: MIT
/// Parts of a tile where a black ground shows nothing.
#pragma once

#include "geometry/screen_view.h"
#include "raster/tile_cover.h"
#include "render/ground.h"

/// True when the contact shadow has no alpha above `alpha` in the tile at `rect`, which is inside
/// the ground. For a ground that has no other shadows.
bool ground_is_clear(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha);

/// Leaves out the blocks of `cover` where that is so.
void ground_cover_limit(const frame_ground *g, const screen_view *view, tile_rect rect, float alpha,
                        tile_cover *cover);
