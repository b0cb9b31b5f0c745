// SPDX-License-Identifier: MIT
/// The triangles of an STL file.
#pragma once

#include "base/dvec3.h"
#include "base/file.h"
#include "base/text_scan.h"
#include "mesh/point_weld.h"

typedef struct stl_soup {
    arena *a;
    const zt_limits *limits;
    const char *path;
    point_places places; ///< corners: of text in `a`, of a binary file in its bytes
    uint32_t *color; ///< [count] 1 + red << 10 | green << 5 | blue, 0: the object's; NULL: all have
    uint32_t count, capacity;
    uint32_t *corner; ///< [3 * count] after stl_soup_weld(): points
    point_weld points;
    dvec3 middle; ///< subtracted from corners of text, see far_points.h
    bool has_object_color;
    uint8_t object_color[4]; ///< sRGB with alpha
    const char *name;        ///< of the first solid, or ""
    uint64_t trailing;       ///< bytes behind the last triangle
    bool header_says_none;   ///< the header counts no triangles, but there are some
} stl_soup;

/// True when a file is text: "solid" in any case, and a word of the format. Headers of binary files
/// may have both; the number behind them has a byte of 0.
bool stl_is_text(file_bytes bytes, size_t start);
/// True when the number of triangles in a file fits its size.
bool stl_is_binary(file_bytes bytes);
zt_result stl_read_binary(job_pool *pool, file_bytes bytes, stl_soup *out, zt_error *err);
zt_result stl_read_text(text_scan *text, bool at_origin, stl_soup *out);
/// ZT_ERR_LIMIT for more triangles than a model may have.
zt_result stl_soup_check(const stl_soup *soup, uint64_t count, zt_error *err);
/// Finds the points of the corners, and drops triangles with one that is not finite.
zt_result stl_soup_weld(job_pool *pool, stl_soup *soup, zt_error *err);
