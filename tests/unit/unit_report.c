// SPDX-License-Identifier: MIT
/// Reports: text of strangers in HTML, XML and JSON, and what a page holds.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "counted_cancel.h"
#include "report/report.h"
#include "report/report_text.h"
#include "report/shell_words.h"
#include "test_folder.h"
#include "testing.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_LIST __attribute__((cleanup(comparison_list_finish))) comparison_list

/// Text that a function wrote.
typedef struct written {
    char *text;
    size_t size;
    FILE *file;
} written;

static FILE *begin(written *w)
{
    *w = (written){0};
    w->file = open_memstream(&w->text, &w->size);
    cr_assert(w->file);
    return w->file;
}

static void check(written *w, const char *expected)
{
    fclose(w->file);
    cr_expect_str_eq(w->text, expected);
    free(w->text);
}

static void check_markup(const char *text, const char *expected)
{
    written w;
    report_markup(begin(&w), "", text, "");
    check(&w, expected);
}

static void check_json(const char *text, const char *expected)
{
    written w;
    json_stream json = {.out = begin(&w)};
    json_stream_text(&json, NULL, text);
    check(&w, expected);
}

#define UNKNOWN "\xEF\xBF\xBD" // U+FFFD

Test(report_text, markup)
{
    check_markup("a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
    check_markup("caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80");
    check_markup("\x01\x1F\x7F", UNKNOWN UNKNOWN UNKNOWN);
    check_markup("\xC2\x85", UNKNOWN); // a C1 control
    check_markup("\xD8\x9C", UNKNOWN); // a mark of writing direction
    check_markup("\xE2\x80\xAE"
                 "cod.exe",
                 UNKNOWN "cod.exe");                                        // right to left
    check_markup("\xE2\x81\xA6\xEF\xBF\xBF", UNKNOWN UNKNOWN);              // isolate, U+FFFF
    check_markup("\xC3(\xED\xA0\x80", UNKNOWN "(" UNKNOWN UNKNOWN UNKNOWN); // half, a surrogate
    check_markup("\xC0\xAF\xF5", UNKNOWN UNKNOWN UNKNOWN); // overlong, above U+10FFFF
    check_markup("\xE2\x82", UNKNOWN UNKNOWN);             // the text ends within
    check_markup(NULL, "");
}

Test(report_text, json)
{
    check_json("a\"b\\c\n\x01", "\"a\\\"b\\\\c\\n\\u0001\"");
    // Controls of C1, DEL and marks of writing direction turn lines of a terminal.
    check_json("\x7F\xC2\x9B\xE2\x80\xAE\xE2\x80\xA8", "\"\\u007F\\u009B\\u202E\\u2028\"");
    check_json("\xC3\xA9\xFF", "\"\xC3\xA9\\ufffd\"");
}

/// RFC 4648, section 10.
Test(report_text, base64)
{
    static const char *const pairs[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        written w;
        report_base64(begin(&w), (const unsigned char *)pairs[i][0], strlen(pairs[i][0]));
        check(&w, pairs[i][1]);
    }
    written w; // more than the function writes at a time
    OWN_BLOCK unsigned char *bytes = calloc(1, 10000);
    report_base64(begin(&w), bytes, 10000);
    fclose(w.file);
    cr_expect_eq(w.size, 13336);
    free(w.text);
}

static void check_line(shell_words *words, const char *expected)
{
    OWN_LIST list;
    comparison_list_init(&list, NULL);
    const char *line = shell_line(words, &list);
    if (expected)
        cr_expect_str_eq(line, expected);
    else
        cr_expect_null(line);
}

Test(report_text, shell)
{
    shell_words words = {0};
    shell_word(&words, "plain_+=1.5");
    shell_word(&words, "it's; $(x)");
    shell_path(&words, "-dash 'x");
    shell_pattern(&words, "a/b.png");
    shell_pattern(&words, "-[x]*?\\'.png");
    check_line(&words, "plain_+=1.5 'it'\\''s; $(x)' './-dash '\\''x' a/b.png "
                       "'[-][[]x][*][?]\\\\'\\''.png'");
    words = (shell_words){0};
    shell_word(&words, "a\xff'\n\\b");
    shell_pattern(&words, "*\x01");
    check_line(&words, "\"$(printf 'a\\377\\047\\012\\134b')\" \"$(printf '\\052\\001')\"");
    // A command that does not fit is none, and nothing is written beyond the end.
    static char quotes[SHELL_WORDS_SIZE / 4 - 1];
    memset(quotes, '\'', sizeof quotes - 1);
    words = (shell_words){0};
    shell_word(&words, quotes);
    cr_expect_not(words.cut);
    shell_word(&words, "--accept");
    shell_pattern(&words, "*");
    check_line(&words, NULL);
}

/// sh reads a word back as it was, whatever its bytes.
Test(report_text, shell_reads_words_back)
{
    char bytes[256] = "", read[600];
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(255 - i);
    const char *const texts[] = {bytes, "a\n\n", "\n", "-%d\\n\n", "%s\001", "it's $IFS `x`", ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        shell_words words = {.text = "printf '%s|%s'", .length = strlen("printf '%s|%s'")};
        PRINTED(expected, 600, "%s|%s%s", texts[i], *texts[i] == '-' ? "./" : "", texts[i]);
        shell_word(&words, texts[i]);
        shell_path(&words, texts[i]);
        FILE *sh = popen(words.text, "r");
        read[fread(read, 1, sizeof read - 1, sh)] = 0;
        pclose(sh);
        cr_expect_str_eq(read, expected, "%s", words.text);
    }
}

static const char hostile[] = "</bdi><script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

static report_def hostile_report(comparison_list *list)
{
    comparison_list_init(list, NULL);
    for (int class = 0; class < COMPARISON_CLASS_COUNT; class ++) {
        comparison *item = comparison_list_add(list);
        cr_assert(item);
        item->name = item->golden_path = item->picture_path = item->diff_path = hostile;
        item->rule = item->message = item->render_command = item->accept_command = hostile;
        item->class = (comparison_class) class;
        item->code = class == 0 ? 0 : 1;
        item->measured = true;
        item->golden_width = item->golden_height = item->picture_width = item->picture_height = 1;
    }
    return (report_def){
        .list = list, .title = hostile, .command = "test", .machine = hostile, .seconds = 1.0};
}

static void check_hostile(report_fn write, const char *name)
{
    OWN_LIST list;
    zt_error err = {0};
    written w;
    const report_def def = hostile_report(&list);
    cr_expect_eq(write(begin(&w), &def, &err), ZT_OK, "%s: %s", name, err.message);
    fclose(w.file);
    cr_expect_null(strstr(w.text, "<script>alert"), "%s", name);
    cr_expect_null(strstr(w.text, "<img src=x"), "%s", name);
    cr_expect_not_null(strstr(w.text, "&lt;script&gt;alert(1)"), "%s", name);
    // Inside quotes nothing ends them.
    cr_expect_null(strstr(w.text, "\"'>"), "%s", name);
    if (write == report_write_html) { // nothing is loaded, and what failed comes first
        cr_expect_not_null(strstr(w.text, "default-src 'none'"));
        cr_expect_null(strstr(w.text, "http:"));
        cr_expect_null(strstr(w.text, "https:"));
        const char *failed = strstr(w.text, "<article"), *passed = strstr(w.text, "<details");
        cr_assert(failed && passed);
        cr_expect_lt(failed, passed);
    }
    free(w.text);
}

Test(report, hostile_names)
{
    check_hostile(report_write_html, "html");
    check_hostile(report_write_junit, "junit");
}

/// Each number and text of a comparison stands once, at its place.
static report_def whole_report(comparison_list *list)
{
    comparison_list_init(list, NULL);
    comparison *item = comparison_list_add(list);
    cr_assert(item);
    *item = (comparison){.name = "walk/1.png",
                         .golden_path = "none/g.png",
                         .picture_path = "none/p.png",
                         .diff_path = "none/d.png",
                         .class = COMPARISON_CHANGED,
                         .code = 1,
                         .measured = true,
                         .metrics = {.pixels = 3,
                                     .compared = 40,
                                     .max = 50,
                                     .mean = 0.25,
                                     .rms = 1.5,
                                     .psnr = 44.5,
                                     .share = 7.5,
                                     .antialiased = 2,
                                     .differing = {.x = 10, .y = 12, .width = 6, .height = 4},
                                     .ssim = 0.875,
                                     .flip = 0.0625,
                                     .flip_first_quartile = 0.1,
                                     .flip_median = 0.2,
                                     .flip_third_quartile = 0.3,
                                     .flip_max = 0.4},
                         .rule = "max 50 is above 3",
                         .objects = {"mesh <b>: 3 of 9 pixels"},
                         .golden_hash = 0xAB,
                         .picture_hash = 0xCD,
                         .golden_width = 5,
                         .golden_height = 8,
                         .picture_width = 6,
                         .picture_height = 9,
                         .seconds = 0.125,
                         .golden_blank = true,
                         .render_command = "render it",
                         .accept_command = "accept it"};
    return (report_def){
        .list = list, .title = "suite", .command = "test", .machine = "a machine", .seconds = 2.5};
}

static const char whole_html[] =
    "<article class=\"changed\" id=\"c0\" data-at=\"10 12 6 4\">\n"
    "<h2><span class=\"class\">changed</span><bdi>walk/1.png</bdi></h2>\n"
    "<p class=\"rule\">max 50 is above 3. The golden is blank.</p>\n"
    "<p class=\"object\">mesh &lt;b&gt;: 3 of 9 pixels</p>\n"
    "<div class=\"pictures\">\n"
    "<figure class=\"golden\"><figcaption>golden 5 x 8 "
    "<code>00000000000000ab</code></figcaption>\n"
    "<img alt=\"golden\" width=\"5\" height=\"8\" decoding=\"async\" loading=\"lazy\" "
    "src=\"data:image/png;base64,\">\n"
    "<p>cannot be read: <bdi>none/g.png</bdi></p></figure>\n"
    "<figure class=\"picture\"><figcaption>picture 6 x 9 "
    "<code>00000000000000cd</code></figcaption>\n"
    "<img alt=\"picture\" width=\"6\" height=\"9\" decoding=\"async\" loading=\"lazy\" "
    "src=\"data:image/png;base64,\">\n"
    "<p>cannot be read: <bdi>none/p.png</bdi></p></figure>\n"
    "<figure class=\"differences\"><figcaption>differences 5 x 8</figcaption>\n"
    "<img alt=\"differences\" width=\"5\" height=\"8\" decoding=\"async\" loading=\"lazy\" "
    "src=\"data:image/png;base64,\">\n"
    "<p>cannot be read: <bdi>none/d.png</bdi></p></figure>\n"
    "</div>\n"
    "<table class=\"metrics\"><tr><th>pixels that "
    "differ<th>largest<th>mean<th>rms<th>psnr<th>share<th>antialiased"
    "<th>within<th>time</tr>\n"
    "<tr><td>3 of 40<td>50<td>0.25<td>1.5<td>44.50 dB<td>7.5 %<td>2<td>10, 12, 6 x 4<td>125 "
    "ms</tr></table>\n"
    "<p>SSIM 0.875</p>\n"
    "<p>FLIP: mean 0.0625, weighted quartiles 0.1, 0.2 and 0.3, largest 0.4</p>\n"
    "<dl class=\"commands\">\n"
    "<dt>render again</dt><dd><code>render it</code><button "
    "class=\"copy\">copy</button></dd>\n"
    "<dt>accept</dt><dd><code>accept it</code><button class=\"copy\">copy</button></dd>\n"
    "</dl>\n"
    "</article>\n";

static const char whole_junit[] =
    "    <testcase classname=\"suite\" name=\"walk/1.png\" time=\"0.125000\">\n"
    "      <properties>\n"
    "        <property name=\"attachment_1\" value=\"none/g.png\"/>\n"
    "        <property name=\"attachment_2\" value=\"none/p.png\"/>\n"
    "        <property name=\"attachment_3\" value=\"none/d.png\"/>\n"
    "      </properties>\n"
    "      <failure message=\"max 50 is above 3\" type=\"changed\">\n"
    "golden: none/g.png\n"
    "picture: none/p.png\n"
    "differences: none/d.png\n"
    "object: mesh &lt;b&gt;: 3 of 9 pixels\n"
    "render again: render it\n"
    "accept: accept it\n"
    "</failure>\n"
    "      <system-out>[[ATTACHMENT|none/g.png]]\n"
    "[[ATTACHMENT|none/p.png]]\n"
    "[[ATTACHMENT|none/d.png]]</system-out>\n"
    "    </testcase>\n";

static const char whole_json[] =
    "{\"name\":\"walk/1.png\",\"class\":\"changed\",\"pass\":false,\"code\":1,\"golden\":\""
    "none/g.png\",\"picture\":\"none/p.png\",\"diff\":\"none/d.png\",\"rule\":\"max 50 "
    "is above 3\",\"message\":null,\"metrics\":{\"compared\":40,\"pixels\":3,\"over\":0,\"a"
    "ntialiased\":2,\"share\":7.5,\"max\":50,\"mean\":0.25,\"rms\":1.5,\"psnr\":44.5,"
    "\"differing\":[10,12,6,4],\"ssim\":0.875,\"flip\":0.0625,\"flip_first_"
    "quartile\":0.1,\"flip_median\":0.2,\"flip_third_quartile\":0.3,\"flip_max\":0.4},"
    "\"objects\":[\"mesh <b\\u003E: 3 of 9 pixels\"],"
    "\"golden_hash\":\"00000000000000ab\",\"picture_hash\":\"00000000000000cd\",\"golden_size\":"
    "[5,8],\"picture_size\":[6,9],\"blank\":false,\"golden_blank\":true,\"seconds\":0.125,"
    "\"render\":\"render it\",\"accept\":\"accept "
    "it\"}],\"total\":1,\"failed\":1,\"counts\":{\"passed\":0,\"changed\":1,\"new\":0,\"mis"
    "sing\":0,\"size\":0,\"error\":0},\"seconds\":2.500000,\"code\":1";

/// The text that a report has from `from` on begins with `expected`.
static void check_part(written *w, const char *from, const char *expected)
{
    fclose(w->file);
    char *part = strstr(w->text, from);
    cr_assert_not_null(part, "%s", w->text);
    part[strnlen(part, strlen(expected))] = '\0';
    cr_expect_str_eq(part, expected);
    free(w->text);
}

Test(report, whole_texts)
{
    OWN_LIST list;
    zt_error err = {0};
    written w;
    const report_def def = whole_report(&list);
    cr_expect_eq(report_write_html(begin(&w), &def, &err), ZT_OK);
    check_part(&w, "<article", whole_html);
    cr_expect_eq(report_write_junit(begin(&w), &def, &err), ZT_OK);
    check_part(&w, "    <testcase", whole_junit);
    json_stream json = {.out = begin(&w)};
    report_write_json(&json, &def, 1);
    check_part(&w, "{\"name", whole_json);
}

/// A document is the same when it has been read and is written again, in the current folder.
Test(report, json_is_read_as_it_was_written, .init = test_folder_make,
     .fini = test_folder_remove_all)
{
    OWN_LIST list, read;
    zt_error err = {0};
    written texts[2];
    int code = 0;
    report_def def = whole_report(&list), about = {0};
    comparison_list_init(&read, NULL);
    for (int i = 0; i < 2; i++, def.list = &read) {
        json_stream json = {.out = begin(&texts[i])};
        json_stream_open(&json, NULL, '{');
        report_write_json(&json, &def, 1);
        json_stream_close(&json, '}');
        fclose(texts[i].file);
        test_folder_write("a", texts[0].text);
        cr_assert_eq(chdir(test_folder), 0);
        if (i == 0)
            MUST(report_read_json("a", &read, &about, &code, &err), err);
    }
    cr_expect_str_eq(texts[0].text, texts[1].text);
    cr_expect(code == 1 && about.seconds == 2.5 && strcmp(about.title, "suite") == 0);
    free(texts[0].text);
    free(texts[1].text);
}

/// A report that is stopped leaves no file, and neither does one that cannot be written.
Test(report, save, .init = test_folder_make, .fini = test_folder_remove)
{
    OWN_LIST list;
    zt_error err = {0};
    const char *path = test_file("a/page.html");
    report_def def = hostile_report(&list);
    counted_cancel caller = {.last = 1};
    const zt_cancel stop = {counted_ask, &caller};
    def.cancel = &stop;
    cr_expect_eq(report_save(path, report_write_junit, &def, &err), ZT_ERR_CANCELLED);
    cr_expect_null(fopen(path, "r"));
    def.cancel = NULL;
    cr_expect_eq(report_save(path, report_write_junit, &def, &err), ZT_OK);
    cr_expect_eq(remove(path), 0);
    cr_expect_eq(report_save("/dev/null/page.html", report_write_junit, &def, &err), ZT_ERR_OUTPUT);
    cr_expect_not_null(strstr(err.message, "/dev/null/page.html"));
    // A pipe or device is written to, never replaced.
    struct stat status;
    int unread = 0;
    cr_assert_eq(mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDWR);
    MUST(report_save(path, report_write_junit, &def, &err), err);
    cr_assert(lstat(path, &status) == 0 && S_ISFIFO(status.st_mode));
    cr_assert(ioctl(reader, FIONREAD, &unread) == 0 && unread > 1000);
    close(reader);
    cr_expect_eq(remove(path), 0);
    cr_expect_eq(report_save("/dev/full", report_write_junit, &def, &err), ZT_ERR_OUTPUT);
    cr_expect_not_null(strstr(err.message, "No space left"), "%s", err.message);
    cr_expect_eq(remove(test_file("a")), 0, "a temporary file is left");
}

/// A file that is no picture any more is named; a lack of memory ends the report.
Test(report, pictures_that_cannot_be_read, .init = test_folder_make, .fini = test_folder_remove_all)
{
    static const char *const files[] = {"garbage, and more of it", "GIF89a", "DDS ", "BM"};
    zt_error err = {0};
    zt_budget *little = NULL;
    written w;
    MUST(zt_budget_create(16, NULL, &little, &err), err);
    comparison item = {.name = "n", .golden_width = 1, .class = COMPARISON_CHANGED};
    comparison_list list = {.items = &item, .count = 1};
    report_def def = {.list = &list, .title = "t", .command = "test", .machine = "m"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        test_folder_write("a", files[i]);
        item.golden_path = test_file("a");
        MUST(report_write_html(begin(&w), &def, &err), err);
        check_part(&w, "<p>cannot be read", "<p>cannot be read: <bdi>");
    }
    def.budget = little;
    cr_expect_eq(report_write_html(begin(&w), &def, &err), ZT_ERR_LIMIT, "%s", err.message);
    fclose(w.file);
    free(w.text);
    zt_budget_destroy(little);
}

/// A picture of squares is shown as the small one that has these as pixels, at most 128 a side.
Test(report, pictures_are_made_small)
{
    static const int32_t sizes[][2] = {{128, 40}, {33, 128}, {128, 1}};
    char path[] = "/tmp/unit_report_XXXXXX";
    zt_error err = {0};
    close(mkstemp(path));
    written w, first = {0};
    for (int i = 0; i < 9; i++) {
        OWN_IMAGE image = {0};
        const int32_t side = i % 3 + 1, width = sizes[i / 3][0] * side;
        cr_assert_eq(zt_image_init(&image, width, sizes[i / 3][1] * side, NULL, &err), ZT_OK);
        for (int32_t at = 0; at < width * image.height; at++) {
            uint8_t *p = image.rgba8 + (size_t)(at / width) * image.stride + at % width * 4;
            p[0] = (uint8_t)(at % width / side);
            p[1] = (uint8_t)(at / width / side);
            p[3] = 255;
        }
        MUST(zt_image_write(path, &image, NULL, &err), err);
        comparison item = {.name = path, .picture_path = path, .class = COMPARISON_PASSED};
        const comparison_list list = {.items = &item, .count = 1};
        const report_def def = {.list = &list, .title = "t", .command = "test", .machine = "m"};
        MUST(report_write_html(begin(&w), &def, &err), err);
        fclose(w.file);
        cr_expect(side == 1 || strcmp(w.text, first.text) == 0, "%d times %d", (int)side, i / 3);
        free(side == 1 ? first.text : w.text);
        first = side == 1 ? w : first;
    }
    free(first.text);
    remove(path);
}
