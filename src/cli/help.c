// SPDX-License-Identifier: MIT
// The help texts, from the tables of flags and commands.
#include "cli/help.h"

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

static void print_command(command which)
{
    const command_row *row = command_at(which);
    printf("zoetrope %s %s\n%s\n", row->name, row->usage, row->help);
    for (int g = 0; g < OPTION_GROUP_COUNT; g++)
        print_group(which, (option_group)g);
    printf("\n%s-- ends the flags.\n",
           row->reads_stdin ? "A - as input reads a model from standard input; " : "");
}

static void print_exit_codes(void)
{
    printf("exit codes:\n");
    for (int i = 0; i < EXIT_CODE_COUNT; i++)
        printf("  %-10s %s\n", exit_codes[i].code, exit_codes[i].brief);
}

void help_print(command which)
{
    if (which != COMMAND_NONE) {
        print_command(which);
        return;
    }
    printf("zoetrope: a headless renderer of animated 3D models\n\n"
           "usage: zoetrope COMMAND [flags]\n\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const command_row *row = command_at((command)i);
        printf("  %-10s %s\n             %s\n", row->name, row->usage, row->help);
    }
    printf("\n  --help, --version, --print-limits, COMMAND --help, help [COMMAND]\n\n");
    print_exit_codes();
}
