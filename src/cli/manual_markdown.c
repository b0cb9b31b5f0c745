// SPDX-License-Identifier: MIT
// docs/cli.md. Paragraphs are wrapped; rows of tables are single lines.
#include "cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 120 };

/// Letters of the commands in the tables of flags.
static const char letters[COMMAND_COUNT] = {
    [COMMAND_RENDER] = 'R',  [COMMAND_TURNTABLE] = 'T', [COMMAND_THUMBNAIL] = 'N',
    [COMMAND_SHEET] = 'H',   [COMMAND_COMPARE] = 'C',   [COMMAND_TEST] = 'E',
    [COMMAND_DIFF] = 'D',    [COMMAND_INSPECT] = 'I',   [COMMAND_CHECK] = 'K',
    [COMMAND_CONVERT] = 'V', [COMMAND_VERIFY] = 'Y',    [COMMAND_SERVE] = 'S',
};

/// A word up to the next space; spaces in `code` belong to it.
static size_t word_length(const char *text)
{
    bool code = false;
    size_t length = 0;
    for (; text[length] && text[length] != '\n' && (code || text[length] != ' '); length++)
        code ^= text[length] == '`';
    return length;
}

/// Paragraphs, wrapped at WIDTH, with an empty line after each.
static void print_text(const char *text)
{
    size_t column = 0;
    while (*text) {
        if (*text == '\n') {
            printf("\n\n");
            text += strspn(text, "\n");
            column = 0;
            continue;
        }
        const size_t length = word_length(text);
        if (column > 0 && column + 1 + length > WIDTH) {
            printf("\n");
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)length, text);
        text += length;
        text += *text == ' ';
    }
    printf("\n\n");
}

/// "`--png fast` or `small`": a bar would end the cell of a table.
static void print_name(const option_flag *flag)
{
    char metavar[64];
    option_metavar(flag, metavar, sizeof metavar);
    if (flag->letter)
        printf("`-%c`, ", flag->letter);
    printf("`%s%s", flag->name, metavar[0] ? " " : "");
    for (const char *c = metavar; *c; c++)
        printf(*c == '|' ? "` or `" : "%c", *c);
    printf("`");
}

static void print_command(const command_row *row)
{
    printf("### %s\n\n`zoetrope %s %s`\n\n", row->name, row->name, row->usage);
    print_text(row->text);
    printf("```sh\n%s\n```\n\n", row->examples);
    if (row->more)
        print_text(row->more);
}

static void print_commands_of(const option_flag *flag)
{
    uint32_t all = 0;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        all |= 1u << i;
    if (flag->commands == all) {
        printf("all");
        return;
    }
    const char *between = "";
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (!(flag->commands & 1u << i))
            continue;
        printf("%s%c", between, letters[i]);
        between = " ";
    }
}

static void print_flag(const option_flag *flag)
{
    char values[96];
    option_values(flag, values, sizeof values);
    printf("| ");
    print_name(flag);
    printf(" | ");
    print_commands_of(flag);
    printf(" | %c%s.%s%s", toupper((unsigned char)flag->help[0]), flag->help + 1,
           flag->detail ? " " : "", flag->detail ? flag->detail : "");
    if (flag->variable)
        printf(" Variable: `%s`.", flag->variable);
    printf(" | %s%s| %s%s|\n", values, values[0] ? " " : "", flag->standard ? flag->standard : "",
           flag->standard ? " " : "");
}

static void print_flags(void)
{
    printf("## Flags\n\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        printf("%s%c %s",
               i == COMMAND_DIFF      ? ",\n"
               : i > COMMAND_NONE + 1 ? ", "
                                      : "",
               letters[i], command_at((command)i)->name);
    printf(".\n\n");
    for (int g = 0; g < OPTION_GROUP_COUNT; g++) {
        const option_flag *flag = NULL;
        printf(
            "### %s\n\n| Flag | Commands | Meaning | Values | Default |\n|---|---|---|---|---|\n",
            option_group_title((option_group)g));
        for (int i = 0; (flag = option_at(i)) != NULL; i++)
            if (flag->group == (option_group)g)
                print_flag(flag);
        printf("\n");
    }
}

/// The first screen: what most people come for.
static const char questions[] =
    "- One picture of a model: `zoetrope render MODEL -o OUT.png`. Small, with a transparent "
    "background: "
    "`thumbnail`\n"
    "- A film, or a turn around it: `zoetrope render MODEL -o OUT.apng`, `zoetrope turntable`\n"
    "- All models of a folder: `zoetrope thumbnail --outdir DIR FOLDER`; on one sheet: `sheet "
    "FOLDER/*.glb -o OUT.png`\n"
    "- What is in a file, and which clips: `zoetrope inspect MODEL`; one of them: `--clip NAME`, "
    "`--time S`\n"
    "- Size, background: `--size 800x600`, `--background white` or `transparent`\n"
    "- Another side, nearer: `--view top`, `--azimuth`, `--elevation`, `--zoom`, `--look-at` "
    "([camera](#camera))\n"
    "- Other light: `--preset`, `--environment sky.hdr` ([light](#light)); brighter: `--exposure "
    "1`\n"
    "- Names and formats of what is written: [output files](#output-files); some of the frames: "
    "`--frames`\n"
    "- Has a picture changed? `zoetrope compare A B`; many: `zoetrope test SUITE`\n"
    "- For scripts: `--json`, `-q`, [exit codes](#exit-codes). Files of strangers: `--untrusted`, "
    "[limits](#limits)\n\n";

/// A link in the contents. The anchor is the title in lower case with dashes for spaces.
static void add_entry(char *text, size_t size, const char *before, const char *title)
{
    snprintf(text + strlen(text), size - strlen(text), "%s[%s](#", before, title);
    size_t at = strlen(text);
    for (; *title && at + 2 < size; title++)
        text[at++] = *title == ' ' ? '-' : (char)tolower((unsigned char)*title);
    snprintf(text + at, size - at, ")");
}

static void print_contents(void)
{
    char text[4096] = "";
    add_entry(text, sizeof text, "", "Commands");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        add_entry(text, sizeof text, i == COMMAND_NONE + 1 ? ": " : ", ",
                  command_at((command)i)->name);
    add_entry(text, sizeof text, "\n", "Flags");
    for (int g = 0; g < OPTION_GROUP_COUNT; g++)
        add_entry(text, sizeof text, g == 0 ? ": " : ", ", option_group_title((option_group)g));
    for (int i = 0; i < MANUAL_SECTION_COUNT; i++)
        add_entry(text, sizeof text, i == 0 ? "\n" : ", ", manual_sections[i].title);
    add_entry(text, sizeof text, ", ", "Exit codes");
    print_text(text);
}

void manual_markdown(void)
{
    printf("# Commands and flags\n\n<!-- Made from src/cli/option_table.c by the target "
           "docs-update: do not "
           "edit. -->\n\n");
    print_text(manual_usage);
    printf("%s", questions);
    print_contents();
    printf("## Commands\n\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        print_command(command_at((command)i));
    print_flags();
    for (int i = 0; i < MANUAL_SECTION_COUNT; i++) {
        printf("## %s\n\n", manual_sections[i].title);
        print_text(manual_sections[i].text);
    }
    printf("## Exit codes\n\n| Code | Meaning |\n|---|---|\n");
    for (int i = 0; i < EXIT_CODE_COUNT; i++)
        printf("| %s | %s |\n", exit_codes[i].code, exit_codes[i].meaning);
    printf("\nA batch exits with the highest code that it met.\n");
}
