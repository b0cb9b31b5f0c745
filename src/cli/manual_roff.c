// SPDX-License-Identifier: MIT
// The man pages, in the man macros of troff: zoetrope.1 and one page for each command.
#include "cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/// Text with Markdown's `code` in bold, links as words, troff escaped. Empty lines: paragraphs.
static void print_text(const char *text)
{
    bool bold = false, line_start = true;
    for (; *text; text++) {
        if (*text == '\n') {
            printf("\n.PP\n");
            text += strspn(text, "\n") - 1;
            line_start = true;
            continue;
        }
        if (line_start && (*text == '.' || *text == '\''))
            printf("\\&");
        line_start = false;
        if (*text == '`')
            printf((bold = !bold) ? "\\fB" : "\\fR");
        else if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else if (*text == ']' && text[1] == '(')
            text += strcspn(text, ")");
        else if (*text != '[' || !strstr(text, "]("))
            printf("%c", *text);
    }
    printf("\n");
}

static void print_section(const char *title)
{
    printf(".SH ");
    for (; *title; title++)
        printf("%c", toupper((unsigned char)*title));
    printf("\n");
}

/// "Help: values. Detail Default: standard. Variable: name."
static void print_meaning(const option_flag *flag)
{
    char values[96], text[1024];
    option_values(flag, values, sizeof values);
    snprintf(text, sizeof text, "%c%s%s%s.%s%s%s%s%s%s%s%s", toupper((unsigned char)flag->help[0]),
             flag->help + 1, values[0] ? ": " : "", values, flag->detail ? " " : "",
             flag->detail ? flag->detail : "", flag->standard ? " Default: " : "",
             flag->standard ? flag->standard : "", flag->standard ? "." : "",
             flag->variable ? " Variable: `" : "", flag->variable ? flag->variable : "",
             flag->variable ? "`." : "");
    print_text(text);
}

static void print_flag(const option_flag *flag)
{
    char metavar[64];
    option_metavar(flag, metavar, sizeof metavar);
    printf(".TP\n");
    if (flag->letter)
        printf("\\fB\\-%c\\fR, ", flag->letter);
    printf("\\fB");
    for (const char *c = flag->name; *c; c++)
        printf(*c == '-' ? "\\-" : "%c", *c);
    printf("\\fR%s\\fI%s\\fR\n", metavar[0] ? " " : "", metavar);
    print_meaning(flag);
}

static void print_flags(command which)
{
    print_section("Options");
    for (int g = 0; g < OPTION_GROUP_COUNT; g++) {
        bool titled = false;
        const option_flag *flag = NULL;
        for (int i = 0; (flag = option_at(i)) != NULL; i++) {
            if (flag->group != (option_group)g || !(flag->commands & 1u << which))
                continue;
            if (!titled)
                printf(".SS %s\n", option_group_title((option_group)g));
            titled = true;
            print_flag(flag);
        }
    }
}

static void print_examples(const char *examples)
{
    printf(".nf\n");
    for (const char *c = examples; *c; c++) {
        if (*c == '-' || *c == '\\')
            putchar('\\');
        putchar(*c == '\\' ? 'e' : *c);
    }
    printf("\n.fi\n");
}

static void print_header(const char *name, const char *summary)
{
    // No date: the same source gives the same page.
    printf(".TH %s 1 \"\" \"zoetrope %d.%d.%d\" \"User Commands\"\n.SH NAME\n", name,
           ZT_VERSION_MAJOR, ZT_VERSION_MINOR, ZT_VERSION_PATCH);
    for (const char *c = name; *c; c++)
        printf(*c == '-' ? "\\-" : "%c", *c);
    printf(" \\- %s\n", summary);
}

static void print_see_also(command which)
{
    const char *between = "";
    print_section("See also");
    if (which != COMMAND_NONE) {
        printf(".BR zoetrope (1)");
        between = ",\n";
    }
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (i == (int)which)
            continue;
        printf("%s.BR zoetrope\\-%s (1)", between, command_at((command)i)->name);
        between = ",\n";
    }
    printf("\n");
}

static void print_command_page(command which)
{
    const command_row *row = command_at(which);
    char name[48];
    snprintf(name, sizeof name, "zoetrope-%s", row->name);
    print_header(name, row->help);
    print_section("Synopsis");
    printf("\\fBzoetrope %s\\fR ", row->name);
    print_text(row->usage);
    print_section("Description");
    print_text(row->text);
    if (row->more) {
        printf(".PP\n");
        print_text(row->more);
    }
    print_flags(which);
    print_section("Examples");
    print_examples(row->examples);
    print_section("Exit status");
    printf("See\n.BR zoetrope (1).\n");
    print_see_also(which);
}

static void print_program_page(void)
{
    print_header("zoetrope", "render animated 3D models without a display");
    print_section("Synopsis");
    printf("\\fBzoetrope\\fR \\fICOMMAND\\fR [flags]\n.br\n\\fBzoetrope\\fR \\-\\-help | "
           "\\-\\-version | help [\\fICOMMAND\\fR]\n");
    print_section("Description");
    print_text(manual_summary);
    printf(".PP\n");
    print_text(manual_usage);
    print_section("Commands");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const command_row *row = command_at((command)i);
        printf(".TP\n\\fBzoetrope\\-%s\\fR(1)\n%c", row->name,
               toupper((unsigned char)row->help[0]));
        print_text(row->help + 1);
    }
    for (int i = 0; i < MANUAL_SECTION_COUNT; i++) {
        print_section(manual_sections[i].title);
        print_text(manual_sections[i].text);
    }
    print_section("Environment");
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        if (!flag->variable)
            continue;
        printf(".TP\n\\fB%s\\fR\n", flag->variable);
        printf("What \\fB\\-\\-%s\\fR takes, when the flag is absent.\n", flag->name + 2);
    }
    print_section("Exit status");
    for (int i = 0; i < EXIT_CODE_COUNT; i++) {
        printf(".TP\n\\fB%s\\fR\n", exit_codes[i].code);
        print_text(exit_codes[i].meaning);
    }
    printf(".PP\nA batch exits with the highest code that it met.\n");
    print_see_also(COMMAND_NONE);
}

void manual_roff(command which)
{
    if (which == COMMAND_NONE)
        print_program_page();
    else
        print_command_page(which);
}
