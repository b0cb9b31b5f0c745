// SPDX-License-Identifier: MIT
// Rebuilds every model of scenes/models, byte for byte:
//
//     generate_models OUTDIR
//
// walker      a skinned explorer in a suit, 40 bones, clips idle, walk and run; as .glb and as .m3d
//             with .dds textures, the same picture from both; walker_moves: clips for its bones;
//             walker_beast: another shape with the same triangles
// robot_arm   rigid parts on a chain of nodes; figure: rigid parts on a branching hierarchy
// head        a face whose skin wrinkles, with normal maps and masks in files
// relief      an arm whose normal map exists in object space too
// ball, rod, door, stairs  for figures to look at, hold and walk on
// critter     hair, tail and antennae that swing by the file's own springs
// puppet      a VRM 1.0 file with toon shading and expressions
// still_life  chess pieces and marbles of glass, gold, lacquer and a thin film, and a backdrop
// the others  one model per feature of the golden images; each function says what must be visible
//
// The numbers are the same with every compiler and machine (exact_math.h says why). PNG bytes
// inside the .glb files also depend on the version of libdeflate.
#include "models.h"
#include "writers.h"

typedef struct model_file {
    const char *name;
    void (*build)(built_model *m);
} model_file;

#define MODEL_FILE(name) {#name ".glb", name##_build},
static const model_file files[] = {MODELS(MODEL_FILE){"puppet.vrm", puppet_build}};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: generate_models OUTDIR\n");
        return 2;
    }
    walker_write(argv[1]);
    courtyard_write(argv[1]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        built_model *m = model_create();
        m->folder = argv[1];
        files[i].build(m);
        glb_write(m, argv[1], files[i].name);
        model_destroy(m);
    }
    return 0;
}
