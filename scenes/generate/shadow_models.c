// SPDX-License-Identifier: MIT
// A model for golden images of shadows.
#include "models.h"
#include "shapes.h"

/// A sheet with round holes in rows, cut out by its alpha.
static void lattice(built_model *m)
{
    const int material = new_material(m, "lattice", 1.0, 1.0, 1.0, 0.0, 0.7);
    m->materials[material].base_map.texture = 0;
    m->materials[material].alpha = MODEL_MASK;
    m->materials[material].double_sided = true;
    built_image *image = new_picture(m, "holes", 64, 64);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++) {
            const int dx = 2 * (x % 16) - 15, dy = 2 * (y % 16) - 15;
            texel_set_bytes(image, x, y, 210, 170, 60, dx * dx + dy * dy < 9 * 9 ? 0 : 255);
        }
    shape_pane(new_part(m, "lattice", v3(-0.9, 0.5, 0.55), material, HAS_UV), 0.35, 0.35);
}

/// Two panes of glass, one behind the other.
static void panes(built_model *m)
{
    static const double colors[2][3] = {{0.15, 0.6, 0.25}, {0.2, 0.35, 0.8}};
    for (int i = 0; i < 2; i++) {
        const double *c = colors[i];
        const int material =
            new_material(m, i ? "blue_pane" : "green_pane", c[0], c[1], c[2], 0.0, 0.3);
        m->materials[material].base_color[3] = 0.5;
        m->materials[material].alpha = MODEL_BLEND;
        m->materials[material].double_sided = true;
        shape_pane(new_part(m, i ? "blue_pane" : "green_pane",
                            v3(0.75 + 0.2 * i, 0.42, 0.75 - 0.3 * i), material, 0),
                   0.3, 0.35);
    }
}

// Casters of every kind of shadow: a smooth ball, one of few facets, a block that stands on the
// ground, a thin post, a sheet with holes and two panes of glass. The ball is mirrored by its node.
void casters_build(built_model *m)
{
    const int red = new_material(m, "red", 0.75, 0.2, 0.15, 0.0, 0.5);
    const int blue = new_material(m, "blue", 0.2, 0.35, 0.7, 0.0, 0.6);
    shape_ball(new_part(m, "ball", v3(0.0, 0.5, 0.0), red, 0), 0.4, 32, 16);
    m->nodes[m->node_count - 1].rest.s[0] = -1.0f;
    shape_ball(new_part(m, "facets", v3(0.1, 0.25, 0.95), red, 0), 0.25, 8, 5);
    shape_box(new_part(m, "block", v3(0.95, 0.45, -0.5), blue, 0), frame_at(0.0, 0.0, 0.0),
              v3(0.2, 0.45, 0.2));
    shape_box(new_part(m, "post", v3(-0.8, 0.6, -0.5), blue, 0), frame_at(0.0, 0.0, 0.0),
              v3(0.02, 0.6, 0.02));
    lattice(m);
    panes(m);
}
