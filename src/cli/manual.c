// SPDX-License-Identifier: MIT
/// The generator of the manual, which the build runs. It is no part of the program.
/// usage: zoetrope_manual OUT markdown|bash|zsh|fish, or OUT man [COMMAND]; OUT -: standard output
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

const char manual_summary[] =
    "Zoetrope renders animated 3D models to PNG files on the CPU. It needs no graphics card and no "
    "display, and it gives the same pixels on every machine.";

const char manual_usage[] =
    "Every command has `--help`. Flags may come before or after the inputs, as `--flag value` or "
    "`--flag=value`; `--` ends the flags. A model named `-` is read from standard input.";

const manual_section manual_sections[MANUAL_SECTION_COUNT] = {
    {"Output files",
     "An output pattern holds one field for the frame: `####`, `%04d` or `{frame:4}`. Without a "
     "field a sequence gets `-####` before its suffix, and a single frame gets the name as it is. "
     "Missing folders are made. Each file is written under a temporary name and renamed when it is "
     "complete, so it is whole or absent, also after an interrupt.\n\n"
     "Pictures are 8-bit sRGB PNG files: RGB when the background is opaque, with straight alpha "
     "when it is transparent. They hold no time stamps."                             },
    {"Frames of the shot",
     "`--frames`, `--shard` and `--resume` select frames of the shot and change nothing else: "
     "neither the framing nor the time of a frame. Frames outside the shot are left out with a "
     "warning; when none is left, that is an error."                                 },
    {"Messages",
     "Standard output carries data only. Messages go to standard error, one line each: `zoetrope: "
     "FILE:LINE:COL: what is wrong (what was expected)`, with a JSON pointer or a byte offset "
     "where "
     "that locates the fault better. A misspelt name gets the nearest known one.\n\n"
     "With `--json` a command prints one JSON document when it ends. `zoetrope` is the version, "
     "with "
     "the commit when the program was built from a checkout. After a failure the document holds "
     "`command`, `code` and `message`."                                              },
    {"Precedence",
     "Flags win over variables of the environment, and both win over the scene file."},
};

static command command_of(const char *name)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (strcmp(command_at((command)i)->name, name) == 0)
            return (command)i;
    return COMMAND_COUNT;
}

static bool print(const char *what, const char *of)
{
    const command which = of ? command_of(of) : COMMAND_NONE;
    if (which == COMMAND_COUNT || (of && strcmp(what, "man") != 0))
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
