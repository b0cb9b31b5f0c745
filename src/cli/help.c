// SPDX-License-Identifier: MIT
// The help texts, from the tables of flags and commands.
#include "base/model_names.h"
#include "cli/commands.h"
#include "cli/option_table.h"

#include <stdio.h>
#include <string.h>

enum {
    COLUMN = 33, ///< where the descriptions of flags begin
    WIDTH = 100
};

/// Words from COLUMN on; the cursor is there.
static void print_wrapped(const char *text)
{
    size_t column = COLUMN;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (column > COLUMN && column + 1 + length > WIDTH) {
            printf("\n%*s", COLUMN, "");
            column = COLUMN;
        }
        column += (size_t)printf("%s%.*s", column > COLUMN ? " " : "", (int)length, text);
        text += length;
        text += *text == ' ';
    }
    printf("\n");
}

static void print_flag(const option_flag *flag)
{
    char metavar[64], values[96], left[80], text[320];
    const char letter[] = {'-', flag->letter, ',', ' ', 0};
    option_metavar(flag, metavar, sizeof metavar);
    option_values(flag, values, sizeof values);
    snprintf(left, sizeof left, "  %s%s%s%s", flag->letter ? letter : "    ", flag->name,
             metavar[0] ? " " : "", metavar);
    const bool both = flag->standard && flag->variable, any = flag->standard || flag->variable;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s", flag->help, values[0] ? ": " : "", values,
             any ? " (" : "", flag->standard ? "default " : "",
             flag->standard ? flag->standard : "", both ? "; " : "",
             flag->variable ? flag->variable : "", any ? ")" : "");
    if (strlen(left) + 1 >= COLUMN)
        printf("%s\n%*s", left, COLUMN, "");
    else
        printf("%-*s", COLUMN, left);
    print_wrapped(text);
}

static void print_group(command which, option_group group)
{
    bool titled = false;
    const option_flag *flag = NULL;
    for (int i = 0; (flag = option_at(i)) != NULL; i++) {
        if (flag->group != group || !(flag->commands & 1u << which))
            continue;
        if (!titled)
            printf("\n%s:\n", option_group_title(group));
        titled = true;
        print_flag(flag);
    }
}

/// The usual flags, and how many others the command has. They stand in the order of the row.
static void print_usual(command which)
{
    const char *name = command_at(which)->usual;
    const option_flag *flag = NULL;
    int others = 0;
    printf("\nFlags:\n");
    for (size_t length; (length = strcspn(name, " ")) > 0; name += length + (name[length] == ' '))
        for (int i = 0; (flag = option_at(i)) != NULL; i++)
            if (strlen(flag->name) == length && strncmp(flag->name, name, length) == 0) {
                print_flag(flag);
                others--;
            }
    for (int i = 0; (flag = option_at(i)) != NULL; i++)
        others += (flag->commands & 1u << which) != 0;
    printf("\n%d more: zoetrope %s --help-all\n", others, command_at(which)->name);
}

/// A command of a shell, with " \\" where it goes on in the next line.
static void print_shell_line(const char *line, size_t length)
{
    const size_t room = WIDTH - 6;
    printf("  ");
    while (length > room) {
        size_t end = room;
        while (end > 0 && line[end] != ' ')
            end--;
        if (end == 0)
            break; // one long word
        printf("%.*s \\\n    ", (int)end, line);
        line += end + 1;
        length -= end + 1;
    }
    printf("%.*s\n", (int)length, line);
}

/// The first two examples, without their comments.
static void print_examples(const char *examples)
{
    printf("\nExamples:\n");
    for (int shown = 0; *examples && shown < 2; shown++) {
        const size_t line = strcspn(examples, "\n");
        const char *comment = strstr(examples, " # ");
        size_t length = comment && comment < examples + line ? (size_t)(comment - examples) : line;
        while (length > 0 && examples[length - 1] == ' ')
            length--;
        print_shell_line(examples, length);
        examples += line + (examples[line] == '\n');
    }
}

static void print_command(command which, bool all)
{
    const command_row *row = command_at(which);
    printf("usage: zoetrope %s %s\n\n%c%s.\n", row->name, row->usage,
           (char)(row->help[0] - 'a' + 'A'), row->help + 1);
    print_examples(row->examples);
    if (!all)
        print_usual(which);
    for (int g = 0; g < OPTION_GROUP_COUNT && all; g++)
        print_group(which, (option_group)g);
    printf("\n%s-- ends the flags.\n",
           row->reads_stdin ? "A - as input reads a model from standard input; " : "");
}

/// All in one paragraph.
static void print_exit_codes(void)
{
    int column = printf("Exit codes:");
    for (int i = 0; i < EXIT_CODE_COUNT; i++) {
        char item[80];
        const int length = snprintf(item, sizeof item, " %s %s%s", exit_codes[i].code,
                                    exit_codes[i].brief, i + 1 < EXIT_CODE_COUNT ? "," : ".");
        if (column + length > WIDTH)
            column = printf("\n ") - 1;
        column += printf("%s", item);
    }
    printf("\n");
}

void help_print(command which, bool all)
{
    if (which != COMMAND_NONE) {
        print_command(which, all);
        return;
    }
    printf("zoetrope: a headless renderer of animated 3D models\n(" MODEL_NAMES_TEXT ")\n\n"
           "usage: zoetrope COMMAND [flags]\n\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const command_row *row = command_at((command)i);
        printf("  %-10s %s\n", row->name, row->help);
    }
    printf("\nExamples:\n"
           "  zoetrope thumbnail model.glb picture.png\n"
           "  zoetrope turntable model.glb --count 48 --size 512 -o turn/####.png\n\n"
           "zoetrope COMMAND --help has the usual flags of a command and examples, --help-all "
           "every flag.\n"
           "zoetrope --version (-V) and --print-limits say what this build and this machine can "
           "do.\n\n");
    print_exit_codes();
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT && all; i++) {
        printf("\n");
        print_command((command)i, true);
    }
}
