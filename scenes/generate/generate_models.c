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

#include <stdio.h>

int main(int argc, char **argv)
{
    static bool (*const writers[])(const char *) = {
        walker_write,       robot_arm_write,
        figure_write,       interpolation_write,
        weights_write,      mirror_tangent_write,
        materials_write,    vertex_colors_write,
        double_sided_write, mirrored_instance_write,
        reflectance_write,  pulse_write,
        wraps_write,        mips_write,
        alpha_mask_write,   slivers_write,
        ties_write,         near_plane_write,
        pavement_write,     ball_write,
        rod_write,          door_write,
        stairs_write,       walker_moves_write,
        face_write,         arm_write,
        blobs_write,        platform_write,
        relief_write,       head_write,
        tentacle_write,     blind_write,
        glass_write,        veils_write,
        transmission_write, unlit_glass_write,
        courtyard_write,    environment_write,
        lobes_write,        brushed_write,
        environment_write,  casters_write,
        still_life_write,   points_lines_write,
        rifle_write,        critter_write,
        strider_write,      puppet_write,
    };
    if (argc != 2) {
        fprintf(stderr, "usage: generate_models OUTDIR\n");
        return 2;
    }
    bool ok = true;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        ok = writers[i](argv[1]) && ok;
    return ok ? 0 : 6; // 6: output could not be written, as in the exit codes of the renderer
}
