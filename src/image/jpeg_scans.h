// SPDX-License-Identifier: MIT
/// The segments and scans of a JPEG file, before a decoder sees them. Reference: ITU-T T.81, B.1
/// and B.2; G.1 for the scans of progressive files.
#pragma once

#include "base/file.h"
#include "image/jpeg_markers.h"

enum {
    JPEG_COMPONENTS_MAX = 4,
    JPEG_SCANS_MAX = 500, // a scan of a few bytes may go over all blocks
};

/// A marker and what belongs to it. `length`: without the marker's two bytes; 0: it is bare.
typedef struct jpeg_segment {
    uint8_t marker;
    size_t begin, length;
    const uint8_t *data; ///< from the length on
} jpeg_segment;

/// The next segment from *at on. In coded data it begins at a 0xff that is neither stuffed (0xff00)
/// nor a fill byte.
bool jpeg_segment_next(file_bytes bytes, size_t *at, jpeg_segment *out);

/// The header of a scan: bits from before `high` to `low` of frequencies in zigzag order, of which
/// the first is the mean. Frequencies come one component at a time.
typedef struct jpeg_scan {
    int component_count;
    uint8_t component[JPEG_COMPONENTS_MAX]; ///< their identifiers
    uint8_t first, last, high, low;
} jpeg_scan;

/// Copies a file without the scans that `keeps` refuses to `out`; NULL: only measures. Returns the
/// size of the copy, at most that of the file and two bytes.
size_t jpeg_scans_copy(file_bytes bytes, bool (*keeps)(void *user, const jpeg_scan *scan),
                       void *user, uint8_t *out);

/// The identifiers of the components of a progressive file that can each have a decoder of their
/// own: its scans are in order, and bring all bits. Returns their number; 0: decode it in one
/// piece.
int jpeg_scans_separate(file_bytes bytes, uint8_t out_component[JPEG_COMPONENTS_MAX]);
