// SPDX-License-Identifier: MIT
/// The header of a Radiance picture: text lines, an empty line, and the line with the size.
#pragma once

#include "base/error.h"
#include "base/file.h"

typedef struct hdr_header {
    int32_t width, height;
    bool columns;      ///< the file stores columns, not rows ("+X 256 -Y 128")
    bool right_left;   ///< -X: the first stored column is the rightmost
    bool bottom_up;    ///< +Y: the first stored row is the lowest
    bool xyz;          ///< CIE XYZ instead of RGB
    double exposure;   ///< product of the EXPOSURE lines
    double correct[3]; ///< products of the COLORCORR lines
    double gamma;      ///< of the GAMMA line: stored = linear^(1 / gamma)
    size_t pixels;     ///< offset of the first byte of the first row
} hdr_header;

/// Reads the header; `name`: for messages. ZT_ERR_FORMAT with a line's offset, ZT_ERR_LIMIT: sides.
zt_result hdr_header_read(const char *name, file_bytes bytes, int32_t side_limit, hdr_header *out,
                          zt_error *err);
