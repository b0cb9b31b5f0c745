// SPDX-License-Identifier: MIT
#include "image/jpeg_scans.h"

#include <string.h>

enum { FREQUENCIES = 64, NOTHING = -1 };

bool jpeg_segment_next(file_bytes bytes, size_t *at, jpeg_segment *out)
{
    const uint8_t *d = bytes.data;
    while (*at + 1 < bytes.size) {
        const uint8_t *next = memchr(d + *at, 0xff, bytes.size - *at - 1);
        if (!next)
            return false;
        *at = (size_t)(next - d);
        if (d[*at + 1] == 0 || d[*at + 1] == 0xff) {
            ++*at;
            continue;
        }
        *out = (jpeg_segment){.marker = d[*at + 1], .begin = *at, .data = d + *at + 2};
        *at += 2;
        if (out->marker == MARKER_EOI || jpeg_marker_is_bare(out->marker))
            return true;
        if (bytes.size - *at < 2)
            return false;
        out->length = (size_t)d[*at] << 8 | d[*at + 1];
        *at += out->length < 2 ? 2 : out->length;
        return true;
    }
    return false;
}

static bool is_whole(file_bytes bytes, const jpeg_segment *s)
{
    return (size_t)(bytes.data + bytes.size - s->data) >= s->length;
}

/// False for a header that is cut off, or is not one.
static bool read_scan(file_bytes bytes, const jpeg_segment *s, jpeg_scan *out)
{
    if (s->marker != MARKER_SOS || s->length < 3 || !is_whole(bytes, s))
        return false;
    const int count = s->data[2];
    if (count < 1 || count > JPEG_COMPONENTS_MAX || s->length < 6 + 2 * (size_t)count)
        return false;
    const uint8_t *bits = s->data + 3 + 2 * count;
    *out = (jpeg_scan){.component_count = count,
                       .first = bits[0],
                       .last = bits[1],
                       .high = bits[2] >> 4,
                       .low = bits[2] & 15};
    for (int i = 0; i < count; i++)
        out->component[i] = s->data[3 + 2 * i];
    return true;
}

/// True inside of a scan.
static bool is_restart(const jpeg_segment *s)
{
    return s->marker >= MARKER_RST0 && s->marker < MARKER_SOI;
}

static size_t append(uint8_t *out, size_t at, const uint8_t *bytes, size_t size)
{
    if (out)
        memcpy(out + at, bytes, size);
    return at + size;
}

size_t jpeg_scans_copy(file_bytes bytes, bool (*keeps)(void *user, const jpeg_scan *scan),
                       void *user, uint8_t *out)
{
    bool skips = false;
    size_t size = append(out, 0, bytes.data, 2), from = 2;
    jpeg_segment s;
    for (size_t at = 2; jpeg_segment_next(bytes, &at, &s);) {
        if (is_restart(&s))
            continue;
        if (!skips)
            size = append(out, size, bytes.data + from, s.begin - from);
        from = s.begin;
        jpeg_scan scan;
        skips = read_scan(bytes, &s, &scan) && !keeps(user, &scan);
        if (s.marker == MARKER_EOI)
            break;
    }
    return append(out, size, (const uint8_t[]){0xff, MARKER_EOI}, 2);
}

/// The bits that scans have brought so far.
typedef struct scan_progress {
    int count; ///< of components; 0: no frame header yet
    uint8_t component[JPEG_COMPONENTS_MAX];
    int low[JPEG_COMPONENTS_MAX][FREQUENCIES]; ///< the lowest bit that is known, or NOTHING
    int scans;
} scan_progress;

static bool begin_frame(file_bytes bytes, const jpeg_segment *s, scan_progress *p)
{
    if (s->marker != MARKER_SOF2 || p->count > 0 || s->length < 8 || !is_whole(bytes, s))
        return false;
    p->count = s->data[7];
    if (p->count < 2 || p->count > JPEG_COMPONENTS_MAX || s->length < 8 + 3 * (size_t)p->count)
        return false;
    for (int i = 0; i < p->count; i++) {
        p->component[i] = s->data[8 + 3 * i];
        for (int k = 0; k < FREQUENCIES; k++)
            p->low[i][k] = NOTHING;
    }
    return true;
}

static int find_component(const scan_progress *p, uint8_t component)
{
    int i = 0;
    while (i < p->count && p->component[i] != component)
        i++;
    return i;
}

/// False for a scan out of order: each brings all bits that the one before left, or one more.
static bool add_scan(scan_progress *p, const jpeg_scan *scan)
{
    const bool is_mean = scan->first == 0;
    if (++p->scans > JPEG_SCANS_MAX || scan->last >= FREQUENCIES || scan->first > scan->last ||
        (is_mean ? scan->last > 0 : scan->component_count > 1) ||
        (scan->high > 0 && scan->low != scan->high - 1))
        return false;
    for (int i = 0; i < scan->component_count; i++) {
        const int c = find_component(p, scan->component[i]);
        if (c == p->count || (!is_mean && p->low[c][0] == NOTHING))
            return false;
        for (int k = scan->first; k <= scan->last; k++) {
            if (p->low[c][k] != (scan->high > 0 ? scan->high : NOTHING))
                return false;
            p->low[c][k] = scan->low;
        }
    }
    return true;
}

/// Between scans: tables of codes, and markers that do not matter to pixels.
static bool is_known_between(const jpeg_segment *s, const scan_progress *p)
{
    return s->marker == MARKER_DHT || s->marker == MARKER_DRI || s->marker == MARKER_COM ||
           (s->marker >= MARKER_APP0 && s->marker <= MARKER_APP15) || is_restart(s) ||
           (s->marker == MARKER_DQT && p->scans == 0);
}

static bool is_complete(const scan_progress *p)
{
    int left = 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < FREQUENCIES; k++)
            left |= p->low[i][k];
    return p->count > 0 && left == 0;
}

int jpeg_scans_separate(file_bytes bytes, uint8_t out_component[JPEG_COMPONENTS_MAX])
{
    scan_progress p = {0};
    jpeg_segment s;
    jpeg_scan scan;
    for (size_t at = 2; jpeg_segment_next(bytes, &at, &s);) {
        if (s.marker == MARKER_EOI) {
            memcpy(out_component, p.component, sizeof p.component);
            return is_complete(&p) ? p.count : 0;
        }
        bool known;
        if (jpeg_marker_starts_frame(s.marker))
            known = begin_frame(bytes, &s, &p);
        else if (s.marker == MARKER_SOS)
            known = read_scan(bytes, &s, &scan) && add_scan(&p, &scan);
        else
            known = is_known_between(&s, &p);
        if (!known)
            return 0;
    }
    return 0;
}
