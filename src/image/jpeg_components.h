// SPDX-License-Identifier: MIT
/// The frequencies of a progressive JPEG, each component by a decoder of its own, on threads.
#pragma once

#include "base/jobs.h"
#include "image/jpeg_blocks.h"
#include "image/jpeg_scans.h"

/// True for a scan of means, which a component's frequencies come after.
bool jpeg_scan_has_means(void *unused, const jpeg_scan *scan);

/// Runs a decoder until the end of its file. False: the work is cancelled.
bool jpeg_read_scans(struct jpeg_decompress_struct *decoder, budget *work);

/// Adds frequencies to the means that a decoder of jpeg_scan_has_means has filled `blocks` with,
/// for components of jpeg_scans_separate(). Takes memory from `a`, the same whatever helps. `pool`:
/// NULL: nobody does. False: the file must be decoded in one piece, which tells what is wrong.
bool jpeg_components_read(file_bytes bytes, const jpeg_blocks *blocks, const uint8_t *component,
                          int count, uint64_t decoder_bytes, arena *a, job_pool *pool);
