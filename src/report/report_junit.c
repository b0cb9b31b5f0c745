// SPDX-License-Identifier: MIT
// JUnit XML as Jenkins, GitLab, Azure and GitHub actions read it. Pictures are attachments: a line
// of the output that Jenkins (plug-in JUnit Attachments) and GitLab know, and properties.
#include "report/report.h"
#include "report/report_text.h"

static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=", name);
    report_markup(out, "\"", value, "\"");
}

static void property(FILE *out, const char *indent, const char *name, const char *value)
{
    fprintf(out, "%s<property", indent);
    attribute(out, "name", name);
    attribute(out, "value", value);
    fputs("/>\n", out);
}

static void line(FILE *out, const char *label, const char *text)
{
    if (!text)
        return;
    fputs(label, out);
    report_markup(out, ": ", text, "\n");
}

const char *report_reason(const comparison *c)
{
    if (c->rule || c->message)
        return c->rule ? c->rule : c->message;
    return c->class == COMPARISON_NEW       ? "there is no golden"
           : c->class == COMPARISON_MISSING ? "there is a golden and no picture"
                                            : "";
}

/// The files among golden, picture and differences, without double entries.
static int attachments(const comparison *c, const char *out[3])
{
    int count = 0;
    if (c->golden_path && c->golden_width > 0)
        out[count++] = c->golden_path;
    if (c->picture_path && c->picture_width > 0 && c->picture_path != c->golden_path)
        out[count++] = c->picture_path;
    if (c->diff_path)
        out[count++] = c->diff_path;
    return count;
}

static void write_failure(FILE *out, const comparison *c)
{
    const char *tag = c->class == COMPARISON_ERROR ? "error" : "failure";
    fprintf(out, "      <%s", tag);
    attribute(out, "message", report_reason(c));
    attribute(out, "type", comparison_class_name(c->class));
    fputs(">\n", out);
    line(out, "golden", c->golden_path);
    line(out, "picture", c->picture_path);
    line(out, "differences", c->diff_path);
    for (int i = 0; i < COMPARISON_OBJECTS_MAX; i++)
        line(out, "object", c->objects[i]);
    line(out, "render again", c->render_command);
    line(out, "accept", c->accept_command);
    fprintf(out, "</%s>\n", tag);
}

static void write_case(FILE *out, const report_def *def, const comparison *c)
{
    const char *files[3];
    fputs("    <testcase", out);
    attribute(out, "classname", def->title);
    attribute(out, "name", c->name);
    fprintf(out, " time=\"%.6f\"", c->seconds);
    const int count = attachments(c, files);
    if (c->class == COMPARISON_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (count > 0)
        fputs("      <properties>\n", out);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "attachment_%d", i + 1);
        property(out, "        ", name, files[i]);
    }
    if (count > 0)
        fputs("      </properties>\n", out);
    write_failure(out, c);
    if (count > 0)
        fputs("      <system-out>", out);
    for (int i = 0; i < count; i++)
        report_markup(out, i ? "\n[[ATTACHMENT|" : "[[ATTACHMENT|", files[i], "]]");
    if (count > 0)
        fputs("</system-out>\n", out);
    fputs("    </testcase>\n", out);
}

zt_result report_write_junit(FILE *out, const report_def *def, zt_error *err)
{
    const comparison_counts counts = comparison_list_counts(def->list);
    const size_t errors = counts.of[COMPARISON_ERROR];
    (void)err;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    for (int i = 0; i < 2; i++) {
        fprintf(out, i ? "  <testsuite" : "<testsuites");
        attribute(out, "name", i ? def->title : "zoetrope");
        fprintf(out,
                " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"%.6f\">\n",
                def->list->count, counts.failed - errors, errors, def->seconds);
    }
    fputs("    <properties>\n", out);
    property(out, "      ", "zoetrope", zt_version());
    property(out, "      ", "machine", def->machine);
    fputs("    </properties>\n", out);
    for (size_t i = 0; i < def->list->count; i++)
        write_case(out, def, &def->list->items[i]);
    fputs("  </testsuite>\n</testsuites>\n", out);
    return ZT_OK;
}
