// SPDX-License-Identifier: MIT
/// Feeds bytes to the reader of models that the build names. Files that a model names are the same
/// bytes, such as the MTL of an OBJ; STL takes any bytes for one of its two forms.
#include "fbx/fbx.h"
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "obj/obj.h"
#include "ply/ply.h"
#include "stl/stl.h"
#include "xfile/xfile.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    static const struct {
        const char *name;
        fuzz_reading how;
    } readers[] = {{"fbx", {&fbx_format, "fuzz.fbx", true, NULL}},
                   {"obj", {&obj_format, "fuzz.obj", true, NULL}},
                   {"ply", {&ply_format, "fuzz.ply", true, NULL}},
                   {"stl", {&stl_format, "fuzz.stl", true, NULL}},
                   {"xfile", {&xfile_format, "fuzz.x", true, NULL}}};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(readers[i].name, FUZZ_NAME) == 0) {
            fuzz_reader(&readers[i].how, data, size);
            return;
        }
    abort(); // a target without a row
}
