// SPDX-License-Identifier: MIT
/// The generator of the manual, which the build runs. It is no part of the program.
/// usage: zoetrope_manual OUT markdown|bash|zsh|fish, or OUT man [COMMAND]; OUT -: standard output
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

static command command_of(const char *name)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (strcmp(command_at((command)i)->name, name) == 0)
            return (command)i;
    return COMMAND_COUNT;
}

static bool print(const char *what, const char *subject)
{
    const command which = subject ? command_of(subject) : COMMAND_NONE;
    if (which == COMMAND_COUNT || (subject && strcmp(what, "man") != 0))
        return false;
    if (strcmp(what, "markdown") == 0)
        manual_markdown();
    else if (strcmp(what, "man") == 0)
        manual_roff(which);
    else if (strcmp(what, "bash") == 0)
        manual_bash();
    else if (strcmp(what, "zsh") == 0)
        manual_zsh();
    else if (strcmp(what, "fish") == 0)
        manual_fish();
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    const bool to_file = argc > 1 && strcmp(argv[1], "-") != 0;
    if (to_file && !freopen(argv[1], "w", stdout)) {
        fprintf(stderr, "zoetrope_manual: %s: cannot be written\n", argv[1]);
        return 6;
    }
    if (argc < 3 || argc > 4 || !print(argv[2], argv[3])) {
        fprintf(stderr,
                "usage: zoetrope_manual OUT markdown|bash|zsh|fish, or OUT man [COMMAND]\n");
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 6;
}
