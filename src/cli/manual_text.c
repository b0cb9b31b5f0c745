// SPDX-License-Identifier: MIT
// The parts of the manual that belong to no single flag or command.
#include "cli/manual.h"

const char manual_summary[] = "Zoetrope renders animated 3D models to pictures and films on the "
                              "CPU. It needs no graphics card and no "
                              "display, and it gives the same pixels on every machine.";

const char manual_usage[] =
    "Every command has `--help`, with its usual flags, and `--help-all`. Flags may come before or "
    "after the inputs, as `--flag value` or "
    "`--flag=value`; `--` ends the flags. A model named `-` is read from standard input.";

const manual_section manual_sections[MANUAL_SECTION_COUNT] = {
    {"Output files",
     "`render`, `turntable`, `thumbnail`, `sheet` and `convert` take their output as `-o FILE` or "
     "as "
     "the last of two or more names. There a model or a scene is an input, except as the second "
     "name of `convert`, and the `.png` of a sheet is its output only as the second name, after a "
     "model. `DIR/`, with the slash, is a folder: the file in it is named by the input, with the "
     "suffix of `--format`, else `.png`, for `convert` `.glb`. `thumbnail` takes it as "
     "`--outdir`.\n\n"
     "A bare model is one picture, the first frame of its shot, when `render` gets neither a "
     "pattern nor `--frames` nor `--shard`, and the format holds a frame (PNG, WebP, JPEG). A line "
     "says how many frames there are, and one names files whose names got a number by "
     "themselves.\n\n"
     "An output pattern holds one field for the frame in the name of the file: `####` (two or "
     "more), `%04d` or `{frame:4}`. Folders are no patterns, one `#` is itself, and `\\#` and `%%` "
     "stand for `#` and `%`. Without a "
     "field a sequence gets `-####` before its suffix, and a single frame gets the name as it is. "
     "Missing folders are made. Each file is written under a temporary name and renamed when it is "
     "complete, so it is whole or absent, also after an interrupt.\n\n"
     "The suffix says the format: `.png` (RGB when the background is opaque, with straight alpha "
     "when it is transparent), `.webp` (the same pixels, unless `--lossy` is given), `.jpg`, "
     "`.exr` (linear light) or `.npz` (arrays of planes), and of all frames in one file `.apng`, "
     "`.webp` (of several frames, without a field in the name) or `.y4m`. See "
     "[formats.md](formats.md#pictures-and-animations). Files hold no time stamps."},
    {"Frames of the shot",
     "`--frames`, `--shard` and `--resume` select frames of the shot and change nothing else: "
     "neither the framing nor the time of a frame. Frames outside the shot are left out with a "
     "warning; when none is left, that is an error."},
    {"Messages",
     "Standard output carries data only. Messages go to standard error, one line each: `zoetrope: "
     "FILE:LINE:COL: what is wrong (what was expected)`, with a JSON pointer or a byte offset "
     "where "
     "that locates the fault better. A misspelt name gets the nearest known one.\n\n"
     "With `--json` a command prints one JSON document when it ends. `zoetrope` is the version, "
     "with "
     "the commit when the program was built from a checkout. After a failure the document holds "
     "`command`, `code` and `message`."},
    {"Precedence",
     "Flags win over variables of the environment, and both win over the scene file."},
};
