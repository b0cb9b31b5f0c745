// SPDX-License-Identifier: MIT
// One page of HTML. Pictures are data: URIs: files as they are for what failed, small copies for
// what passed. Styles and the viewer are page.css and page.js.
#include "base/difference_color.h"
#include "base/file.h"
#include "base/picture_kind.h"
#include "report/report.h"
#include "report/report_page.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { THUMB_SIDE = 128 };

// ---- Pictures -----------------------------------------------------------------------------------

static void begin_image(FILE *out, const char *mime, const char *text, int32_t w, int32_t h)
{
    fprintf(out,
            "<img alt=\"%s\" width=\"%d\" height=\"%d\" decoding=\"async\" loading=\"lazy\" "
            "src=\"data:%s;base64,",
            text, w, h, mime);
}

static zt_result write_encoded(FILE *out, const zt_image *image, const char *text, zt_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    ZT_TRY(zt_image_encode(image, NULL, &bytes, &size, err));
    begin_image(out, "image/png", text, image->width, image->height);
    report_base64(out, bytes, size);
    fputs("\">", out);
    zt_free(bytes);
    return ZT_OK;
}

/// The mean of the pixels of a rectangle, colours by alpha.
static void mean_pixel(const zt_image *image, int32_t x0, int32_t x1, int32_t y0, int32_t y1,
                       uint8_t out[4])
{
    uint64_t sum[4] = {0}, count = 0;
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++, count++) {
            const uint8_t *p = image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
            for (int i = 0; i < 3; i++)
                sum[i] += (uint64_t)p[i] * p[3];
            sum[3] += p[3];
        }
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)(sum[3] ? (sum[i] + sum[3] / 2) / sum[3] : 0);
    out[3] = (uint8_t)((sum[3] + count / 2) / count);
}

/// Makes a picture fit into THUMB_SIDE; one that fits stays.
static zt_result shrink(const report_def *def, zt_image *image, zt_error *err)
{
    const int32_t side = image->width > image->height ? image->width : image->height;
    if (side <= THUMB_SIDE)
        return ZT_OK;
    zt_image small = {0};
    const int32_t width = (int32_t)((int64_t)image->width * THUMB_SIDE / side);
    const int32_t height = (int32_t)((int64_t)image->height * THUMB_SIDE / side);
    ZT_TRY(zt_image_init(&small, width > 0 ? width : 1, height > 0 ? height : 1, def->budget, err));
    for (int32_t y = 0; y < small.height; y++)
        for (int32_t x = 0; x < small.width; x++)
            mean_pixel(image, (int32_t)((int64_t)x * image->width / small.width),
                       (int32_t)((int64_t)(x + 1) * image->width / small.width),
                       (int32_t)((int64_t)y * image->height / small.height),
                       (int32_t)((int64_t)(y + 1) * image->height / small.height),
                       small.rgba8 + (size_t)y * small.stride + (size_t)x * 4);
    zt_image_finish(image);
    *image = small;
    return ZT_OK;
}

/// A page does without pictures that cannot be read; not without memory, which others need, too.
static zt_result pass_unreadable(zt_result result)
{
    return result == ZT_ERR_INPUT || result == ZT_ERR_FORMAT || result == ZT_ERR_UNSUPPORTED ||
                   result == ZT_ERR_DIFFERENT // in size, since the results were written
               ? ZT_OK
               : result;
}

/// A picture as PNG. `small`: as a thumbnail.
static zt_result write_copy(FILE *out, const report_def *def, const char *path, const char *text,
                            bool small, zt_error *err)
{
    zt_image image = {0};
    if (!file_is_regular(path))
        return ZT_ERR_INPUT;
    zt_result result = zt_image_read(path, true, def->budget, &image, err);
    if (result == ZT_OK && small)
        result = shrink(def, &image, err);
    if (result == ZT_OK)
        result = write_encoded(out, &image, text, err);
    zt_image_finish(&image);
    return result;
}

/// `class` is that of the figure, too. What browsers do not show becomes PNG.
static zt_result write_figure(FILE *out, const report_def *def, const char *class, const char *path,
                              int32_t width, int32_t height, uint64_t hash, zt_error *err)
{
    fprintf(out, "<figure class=\"%s\"><figcaption>%s", class, class);
    if (width > 0)
        fprintf(out, " %d x %d", width, height);
    if (hash)
        fprintf(out, " <code>%016" PRIx64 "</code>", hash);
    fputs("</figcaption>\n", out);
    zt_result result;
    const picture_kind *kind = picture_kind_of_file(path);
    if (kind->name && !strstr("PNG JPEG WebP", kind->name)) {
        result = write_copy(out, def, path, class, false, err);
    } else {
        begin_image(out, kind->name ? kind->mime : "image/png", class, width, height);
        result = kind->name && report_base64_file(out, path) ? ZT_OK : ZT_ERR_INPUT;
        fputs("\">\n", out);
    }
    if (pass_unreadable(result) != result)
        report_markup(out, "<p>cannot be read: <bdi>", path, "</bdi></p>");
    fputs("</figure>\n", out);
    return pass_unreadable(result);
}

/// For a comparison that wrote none.
static zt_result write_differences(FILE *out, const report_def *def, const comparison *c,
                                   zt_error *err)
{
    zt_image golden = {0}, picture = {0}, diff = {0}, mask = {0};
    zt_metrics metrics;
    zt_metrics_def how = def->how ? *def->how : zt_default_metrics_def();
    if (!file_is_regular(c->golden_path) || !file_is_regular(c->picture_path))
        return ZT_OK;
    how.ssim = false; // no picture shows it
    how.flip = how.flip_diff;
    zt_result result = zt_image_read(c->golden_path, true, def->budget, &golden, err);
    if (result == ZT_OK)
        result = zt_image_read(c->picture_path, true, def->budget, &picture, err);
    if (result == ZT_OK && c->mask_path) {
        result = zt_image_read(c->mask_path, true, def->budget, &mask, err);
        how.mask = &mask;
    }
    if (result == ZT_OK)
        result = comparison_metrics(&how, &golden, &picture, &metrics, &diff, err);
    if (result == ZT_OK) {
        fputs("<figure class=\"differences\"><figcaption>differences</figcaption>\n", out);
        result = write_encoded(out, &diff, "differences", err);
        fputs("</figure>\n", out);
    }
    zt_image_finish(&golden);
    zt_image_finish(&picture);
    zt_image_finish(&diff);
    zt_image_finish(&mask);
    return pass_unreadable(result);
}

static zt_result write_pictures(FILE *out, const report_def *def, const comparison *c,
                                zt_error *err)
{
    const bool golden = c->golden_path && c->golden_width > 0;
    const bool picture = c->picture_path && c->picture_width > 0;
    const bool narrower = c->picture_width < c->golden_width;
    const bool lower = c->picture_height < c->golden_height;
    if (!golden && !picture)
        return ZT_OK;
    fputs("<div class=\"pictures\">\n", out);
    if (golden)
        ZT_TRY(write_figure(out, def, "golden", c->golden_path, c->golden_width, c->golden_height,
                            c->golden_hash, err));
    if (picture)
        ZT_TRY(write_figure(out, def, "picture", c->picture_path, c->picture_width,
                            c->picture_height, c->picture_hash, err));
    if (c->diff_path)
        ZT_TRY(write_figure(out, def, "differences", c->diff_path,
                            narrower ? c->picture_width : c->golden_width,
                            lower ? c->picture_height : c->golden_height, 0, err));
    else if (c->measured && c->metrics.pixels > 0 && golden && picture)
        ZT_TRY(write_differences(out, def, c, err));
    fputs("</div>\n", out);
    return ZT_OK;
}

// ---- One comparison -----------------------------------------------------------------------------

static void write_metrics(FILE *out, const comparison *c)
{
    const zt_metrics *m = &c->metrics;
    if (!c->measured)
        return;
    fprintf(out,
            "<table class=\"metrics\"><tr><th>pixels that differ<th>largest<th>mean<th>rms"
            "<th>psnr<th>share<th>antialiased<th>within<th>time</tr>\n<tr><td>%" PRId64
            " of %" PRId64 "<td>%d<td>%.4g<td>%.4g<td>",
            m->pixels, m->compared, m->max, m->mean, m->rms);
    fprintf(out, isfinite(m->psnr) ? "%.2f dB" : "-", m->psnr);
    fprintf(out, "<td>%.3g %%<td>%" PRId64 "<td>%d, %d, %d x %d<td>%.0f ms</tr></table>\n",
            m->share, m->antialiased, m->differing.x, m->differing.y, m->differing.width,
            m->differing.height, c->seconds * 1e3);
    if (!isnan(m->ssim))
        fprintf(out, "<p>SSIM %.5g</p>\n", m->ssim);
    if (!isnan(m->flip))
        fprintf(
            out, "<p>FLIP: mean %.4g, weighted quartiles %.4g, %.4g and %.4g, largest %.4g</p>\n",
            m->flip, m->flip_first_quartile, m->flip_median, m->flip_third_quartile, m->flip_max);
}

static void write_command(FILE *out, const char *label, const char *command)
{
    if (!command)
        return;
    fprintf(out, "<dt>%s</dt><dd>", label);
    report_markup(out, "<code>", command, "</code><button class=\"copy\">copy</button></dd>\n");
}

static zt_result write_article(FILE *out, const report_def *def, const comparison *c, size_t index,
                               zt_error *err)
{
    const zt_rectangle *where = &c->metrics.differing;
    fprintf(out, "<article class=\"%s\" id=\"c%zu\"", comparison_class_name(c->class), index);
    if (c->measured)
        fprintf(out, " data-at=\"%d %d %d %d\"", where->x, where->y, where->width, where->height);
    fprintf(out, ">\n<h2><span class=\"class\">%s</span>", comparison_class_name(c->class));
    report_markup(out, "<bdi>", c->name, "</bdi></h2>\n");
    report_markup(out, "<p class=\"rule\">", report_reason(c), "");
    if (c->blank)
        fputs(". The picture is blank: all its pixels are equal", out);
    if (c->golden_blank)
        fputs(". The golden is blank.", out);
    fputs("</p>\n", out);
    for (int i = 0; i < COMPARISON_OBJECTS_MAX && c->objects[i]; i++)
        report_markup(out, "<p class=\"object\">", c->objects[i], "</p>\n");
    const zt_result result = write_pictures(out, def, c, err);
    write_metrics(out, c);
    fputs("<dl class=\"commands\">\n", out);
    write_command(out, "render again", c->render_command);
    write_command(out, "accept", c->accept_command);
    fputs("</dl>\n</article>\n", out);
    return result;
}

static zt_result write_passed(FILE *out, const report_def *def, const comparison *c, zt_error *err)
{
    zt_result result = ZT_OK;
    const char *path = c->picture_path ? c->picture_path : c->golden_path;
    fputs("<figure class=\"passed\">", out);
    if (path)
        result = pass_unreadable(write_copy(out, def, path, "", true, err));
    report_markup(out, "<figcaption><bdi>", c->name, "</bdi>");
    report_markup(out, "<br>", report_reason(c), "</figcaption></figure>\n");
    return result;
}

// ---- The page -----------------------------------------------------------------------------------

static void write_head(FILE *out, const report_def *def)
{
    char summary[200];
    comparison_summary(def->list, summary, sizeof summary);
    const bool good = comparison_list_counts(def->list).failed == 0;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n"
          // Nothing is loaded, whatever a name of a file may contain.
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
          "data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
          out);
    report_markup(out, "<title>", summary, "");
    report_markup(out, " - ", def->title, "</title>\n<style>\n");
    fwrite(report_page_css, 1, report_page_css_size, out);
    report_markup(out, "</style></head>\n<body>\n<h1><bdi>", def->title, "</bdi></h1>\n");
    fprintf(out, "<p class=\"about\">zoetrope %s %s", def->command, zt_version());
    report_markup(out, " on ", def->machine, "");
    fprintf(out, ", %.2f s</p>\n<p class=\"summary %s\">", def->seconds, good ? "good" : "bad");
    report_markup(out, "", summary, "</p>\n");
}

/// Search and states, which work with scripts alone.
static void write_tools(FILE *out, const comparison_counts *counts)
{
    fputs("<div class=\"tools\"><input type=\"search\" placeholder=\"search\">\n", out);
    for (int i = COMPARISON_CLASS_COUNT - 1; i >= 0; i--) {
        const char *name = comparison_class_name((comparison_class)i);
        if (counts->of[i] > 0)
            fprintf(out,
                    "<label><input type=\"checkbox\" data-class=\"%s\" checked> %zu %s</label>\n",
                    name, counts->of[i], name);
    }
    fputs("<output></output></div>\n", out);
}

/// The legend of the colours of differences.
static void write_legend(FILE *out)
{
    static const char *const names[] = {"1",     "2-3",    "4-7",     "8-15",        "16-31",
                                        "32-63", "64-127", "128-255", "antialiased", "left out"};
    fputs("<p class=\"legend\">differences in codes:", out);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const uint8_t *color = difference_colors[i];
        fprintf(out, " <span><i style=\"background:#%02x%02x%02x\"></i>%s</span>", color[0],
                color[1], color[2], names[i]);
    }
    fputs("</p>\n", out);
}

static void write_contents(FILE *out, const comparison_list *list)
{
    fputs("<p class=\"hint\">Over a golden the pointer shows the picture in its place. With "
          "scripts: click a picture, <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>/</kbd> "
          "search, <kbd>space</kbd> swap, <kbd>d</kbd> differences, <kbd>s</kbd> swipe, "
          "<kbd>b</kbd> blink, <kbd>o</kbd> onion skin, <kbd>+</kbd> <kbd>-</kbd> <kbd>8</kbd> "
          "zoom, <kbd>0</kbd> fit, <kbd>Esc</kbd> back.</p>\n<nav><ol>\n",
          out);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].class == COMPARISON_PASSED)
            continue;
        fprintf(out, "<li><a href=\"#c%zu\">", i);
        report_markup(out, "<bdi>", list->items[i].name, "</bdi></a></li>\n");
    }
    fputs("</ol></nav>\n", out);
}

static void write_end(FILE *out)
{
    fputs("<dialog><div class=\"bar\"><strong class=\"title\"></strong>\n"
          "<button data-key=\"g\">golden</button><button data-key=\"v\">picture</button>"
          "<button data-key=\"d\">differences</button><button data-key=\"s\">swipe</button>"
          "<button data-key=\"b\">blink</button><button data-key=\"o\">onion</button>\n"
          "<input type=\"range\" aria-label=\"share of the golden\" hidden>"
          "<span><button data-key=\"k\">previous</button><button data-key=\"j\">next</button>"
          "<button data-key=\"-\">-</button><button data-key=\"0\">fit</button>"
          "<button data-key=\"+\">+</button><button class=\"close\">close</button></span></div>\n"
          "<output></output><div class=\"stage\"><canvas></canvas></div></dialog>\n<script>\n",
          out);
    fwrite(report_page_js, 1, report_page_js_size, out);
    fputs("</script>\n</body></html>\n", out);
}

static bool cancelled(const report_def *def)
{
    return def->cancel && def->cancel->asked(def->cancel->user);
}

zt_result report_write_html(FILE *out, const report_def *def, zt_error *err)
{
    const comparison_list *list = def->list;
    const comparison_counts counts = comparison_list_counts(list);
    const size_t passed = counts.of[COMPARISON_PASSED];
    write_head(out, def);
    write_tools(out, &counts);
    if (counts.failed > 0 && !(def->how && def->how->flip_diff))
        write_legend(out);
    if (counts.failed > 0)
        write_contents(out, list);
    for (size_t i = 0; i < list->count; i++) {
        if (cancelled(def))
            return ZT_ERR_CANCELLED;
        if (list->items[i].class != COMPARISON_PASSED)
            ZT_TRY(write_article(out, def, &list->items[i], i, err));
    }
    if (passed > 0)
        fprintf(out, "<details%s><summary>%zu passed</summary>\n<div class=\"thumbs\">\n",
                counts.failed == 0 ? " open" : "", passed);
    for (size_t i = 0; i < list->count; i++) {
        if (cancelled(def))
            return ZT_ERR_CANCELLED;
        if (list->items[i].class == COMPARISON_PASSED)
            ZT_TRY(write_passed(out, def, &list->items[i], err));
    }
    if (passed > 0)
        fputs("</div></details>\n", out);
    write_end(out);
    return ZT_OK;
}
