// SPDX-License-Identifier: MIT
// Draws what bench_scale measured, a panel a series, both axes logarithmic:
//
//     plot_scale RESULTS.jsonl OUT.png
//
// Blue is time (left axis), orange the process's peak of memory (right axis); the thin grey line
// through the last time grows linearly with x: a curve that is steeper anywhere grows faster.
#include "plot_font.h"

#include <zoetrope/zoetrope.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1600,
    HEIGHT = 840,
    COLUMNS = 4,
    TOP = 56,
    PANEL_W = WIDTH / COLUMNS,
    PANEL_H = (HEIGHT - TOP) / 2,
    POINTS_MAX = 32,
};

typedef struct ink {
    uint8_t r, g, b;
} ink;

static const ink black = {32, 34, 38}, grey = {196, 198, 202}, pale = {232, 233, 236},
                 blue = {28, 98, 190}, orange = {214, 112, 20};

typedef struct panel {
    const char *series, *title;
    double x[POINTS_MAX], ms[POINTS_MAX], mib[POINTS_MAX];
    int count;
} panel;

static panel panels[] = {
    {.series = "triangles_mesh",      .title = "triangles of one mesh"        },
    {.series = "triangles_instances", .title = "triangles of instances"       },
    {.series = "pixels",              .title = "pixels"                       },
    {.series = "lights",              .title = "lights"                       },
    {.series = "models",              .title = "models in a scene"            },
    {.series = "frames",              .title = "frames of a sequence, 64 x 64"},
    {.series = "threads_one_frame",   .title = "threads, one frame"           },
    {.series = "threads_sequence",    .title = "threads, 32 frames"           },
};
enum { PANELS = sizeof panels / sizeof *panels };

static zt_image canvas;

/// Where x is threads: more of it is meant to take less time, by the clock and not the processor.
static bool of_threads(const panel *p)
{
    return strncmp(p->series, "threads", 7) == 0;
}

static void dot(int x, int y, ink c)
{
    if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT)
        return;
    uint8_t *p = canvas.rgba8 + (size_t)y * canvas.stride + (size_t)x * 4;
    p[0] = c.r;
    p[1] = c.g;
    p[2] = c.b;
    p[3] = 255;
}

static void box(int x0, int y0, int x1, int y1, ink c)
{
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            dot(x, y, c);
}

/// A straight line, `thick` points wide.
static void line(double x0, double y0, double x1, double y1, int thick, ink c)
{
    const int steps = (int)(fmax(fabs(x1 - x0), fabs(y1 - y0)) + 1.5);
    for (int i = 0; i <= steps; i++) {
        const double t = (double)i / steps;
        const int x = (int)lround(x0 + (x1 - x0) * t), y = (int)lround(y0 + (y1 - y0) * t);
        box(x - thick / 2, y - thick / 2, x + (thick - 1) / 2, y + (thick - 1) / 2, c);
    }
}

/// Text of points `size` wide, whose left (align 0), middle (1) or right end (2) is at x.
static void text(int x, int y, int size, int align, ink c, const char *words)
{
    x -= (int)strlen(words) * 6 * size * align / 2;
    for (; *words; words++, x += 6 * size)
        for (size_t g = 0; g < sizeof plot_font / sizeof *plot_font; g++)
            for (int i = 0; plot_font[g].sign == *words && i < 45; i++)
                if (plot_font[g].points[i] == '#')
                    box(x + i % 5 * size, y + i / 5 * size, x + (i % 5 + 1) * size - 1,
                        y + (i / 5 + 1) * size - 1, c);
}

typedef struct axis {
    double low, high; ///< decimal logarithms
} axis;

/// The number among 1, 2 and 5 times a power of ten that is next below (or above) a value.
static double round_value(double value, bool above)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double power = pow(10.0, floor(log10(value) + 1e-9)), part = value / power;
    int i = 0;
    while (i < 3 && steps[i] < part * (1.0 - 1e-9))
        i++;
    if (!above && steps[i] > part * (1.0 + 1e-9))
        i--;
    return steps[i] * power;
}

/// From the least to the largest value: exactly, or between round numbers.
static axis axis_of(const double *values, int count, bool exact)
{
    axis a = {1e9, -1e9};
    for (int i = 0; i < count; i++) {
        a.low = fmin(a.low, log10(exact ? values[i] : round_value(values[i], false)));
        a.high = fmax(a.high, log10(exact ? values[i] : round_value(values[i], true)));
    }
    if (a.high - a.low < 0.05)
        a.high = a.low + (exact ? 1.0 : log10(2.0));
    return a;
}

static double along(axis a, double value)
{
    return (log10(value) - a.low) / (a.high - a.low);
}

static void tick_name(double v, char *out, size_t size)
{
    if (v >= 999.5e3)
        snprintf(out, size, "%.0fm", v / 1e6);
    else if (v >= 999.5)
        snprintf(out, size, "%.0fk", v / 1e3);
    else
        snprintf(out, size, "%.3g", v);
}

/// Values along a side of a panel: whole decades, and 2 and 5 of each on short axes.
static void ticks(axis a, const int rect[4], int at_x, int align, ink c, bool lines)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    char name[32];
    for (double e = floor(a.low); e <= a.high; e += 1.0)
        for (int k = 0; k < (a.high - a.low > 1.8 ? 1 : 3); k++) {
            const double value = steps[k] * pow(10.0, e);
            const double t = along(a, value);
            if (t < -1e-6 || t > 1.0 + 1e-6)
                continue;
            const int y = rect[3] - (int)(t * (rect[3] - rect[1]));
            if (lines)
                line(rect[0], y, rect[2], y, 1, pale);
            tick_name(value, name, sizeof name);
            text(at_x, y - 7, 2, align, c, name);
        }
}

static void curve(const panel *p, const double *values, axis x, axis y, const int rect[4], ink c)
{
    double px = 0.0, py = 0.0;
    for (int i = 0; i < p->count; i++) {
        const double sx = rect[0] + along(x, p->x[i]) * (rect[2] - rect[0]);
        const double sy = rect[3] - along(y, values[i]) * (rect[3] - rect[1]);
        if (i > 0)
            line(px, py, sx, sy, 3, c);
        box((int)sx - 3, (int)sy - 3, (int)sx + 3, (int)sy + 3, c);
        px = sx;
        py = sy;
    }
}

/// Linear growth through the last point of the times, or with threads the ideal fall from the
/// first.
static void guide(const panel *p, axis x, axis y, const int rect[4])
{
    const int last = of_threads(p) ? 0 : p->count - 1;
    const double slope = of_threads(p) ? -1.0 : 1.0;
    const double at = log10(p->x[last]), value = log10(p->ms[last]);
    double ends[2][2];
    for (int i = 0; i < 2; i++) {
        const double lx = i == 0 ? x.low : x.high;
        double ly = value + slope * (lx - at), cut = lx;
        const double bounded = fmin(fmax(ly, y.low), y.high);
        cut = at + (bounded - value) / slope;
        ly = bounded;
        ends[i][0] = rect[0] + (cut - x.low) / (x.high - x.low) * (rect[2] - rect[0]);
        ends[i][1] = rect[3] - (ly - y.low) / (y.high - y.low) * (rect[3] - rect[1]);
    }
    line(ends[0][0], ends[0][1], ends[1][0], ends[1][1], 1, grey);
}

static void panel_draw(const panel *p, int index)
{
    const int left = index % COLUMNS * PANEL_W, top = TOP + index / COLUMNS * PANEL_H;
    const int rect[4] = {left + 62, top + 44, left + PANEL_W - 62, top + PANEL_H - 44};
    char name[32];
    text((rect[0] + rect[2]) / 2, top + 10, 2, 1, black, p->title);
    box(rect[0], rect[1], rect[2], rect[3], (ink){250, 250, 251});
    if (p->count == 0) {
        text((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2, 2, 1, grey, "not measured");
        return;
    }
    const axis x = axis_of(p->x, p->count, true), time = axis_of(p->ms, p->count, false),
               memory = axis_of(p->mib, p->count, false);
    int written = -1000;
    for (int i = 0; i < p->count; i++) {
        const int at = rect[0] + (int)(along(x, p->x[i]) * (rect[2] - rect[0]));
        line(at, rect[1], at, rect[3], 1, pale);
        tick_name(p->x[i], name, sizeof name);
        if (at - written > 40)
            text(written = at, rect[3] + 8, 2, 1, black, name);
    }
    ticks(time, rect, rect[0] - 6, 2, blue, true);
    ticks(memory, rect, rect[2] + 8, 0, orange, false);
    guide(p, x, time, rect);
    curve(p, p->mib, x, memory, rect, orange);
    curve(p, p->ms, x, time, rect, blue);
    text(rect[0], rect[1] - 10, 1, 0, blue, of_threads(p) ? "ms by the clock" : "ms of processor");
    text(rect[2], rect[1] - 10, 1, 2, orange, "mib at the peak");
}

/// The number behind "key": in a line, or -1.
static double number_in(const char *from, const char *key)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *at = strstr(from, wanted);
    return at ? strtod(at + strlen(wanted), NULL) : -1.0;
}

static bool read_results(const char *path)
{
    char row[1024], wanted[64];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "plot_scale: %s cannot be read\n", path);
        return false;
    }
    while (fgets(row, sizeof row, file))
        for (int i = 0; i < PANELS; i++) {
            panel *p = &panels[i];
            snprintf(wanted, sizeof wanted, "\"series\":\"%s\"", p->series);
            if (!strstr(row, wanted) || p->count >= POINTS_MAX)
                continue;
            p->x[p->count] = number_in(row, "x");
            p->ms[p->count] = number_in(row, of_threads(p) ? "frame_ms" : "cpu_ms");
            p->mib[p->count] = number_in(row, "peak_mib");
            if (p->x[p->count] > 0.0 && p->ms[p->count] > 0.0 && p->mib[p->count] > 0.0)
                p->count++;
        }
    fclose(file);
    return true;
}

int main(int argc, char **argv)
{
    zt_error err = {ZT_OK, ""};
    if (argc != 3) {
        fprintf(stderr, "usage: plot_scale RESULTS.jsonl OUT.png\n");
        return 2;
    }
    if (!read_results(argv[1]))
        return 3;
    if (zt_image_init(&canvas, WIDTH, HEIGHT, &err) != ZT_OK) {
        fprintf(stderr, "plot_scale: %s\n", err.message);
        return 7;
    }
    box(0, 0, WIDTH - 1, HEIGHT - 1, (ink){255, 255, 255});
    text(20, 18, 2, 0, black, "time and memory as the work grows");
    text(WIDTH - 20, 18, 2, 2, black, "grey: linear in x (threads: ideal)");
    for (int i = 0; i < PANELS; i++)
        panel_draw(&panels[i], i);
    const zt_result result = zt_png_write(argv[2], &canvas, ZT_PNG_SMALL, &err);
    if (result != ZT_OK)
        fprintf(stderr, "plot_scale: %s\n", err.message);
    zt_image_finish(&canvas);
    return (int)result;
}
