// SPDX-License-Identifier: MIT
// A critter that hops and turns: two antennae that stand up, six strands of hair that hang over its
// round head, and a tail swing after it (VRMC_springBone). A ball and a capsule keep hair and tail
// out of the body.
#include "models.h"
#include "shapes.h"

#include <stdio.h>
#include <string.h>

enum { STRAND_RINGS = 24, AROUND = 12, HOP_KEYS = 13, JSON_SIZE = 16384 };

/// A row of bones: the tube around it narrows from `wide` to `narrow`.
typedef struct strand {
    char name[16];
    dvec3 root, step; ///< step: from bone to bone
    int bones;
    double wide, narrow;
    const char *forces; ///< members of every joint
    const char *groups; ///< of colliders
} strand;

typedef struct strand_tube {
    const strand *of;
    int first_joint;
    float color[3];
} strand_tube;

/// Any two directions at right angles to a strand.
static void strand_axes(const strand *s, dvec3 *along, dvec3 *u, dvec3 *v)
{
    *along = v3_unit(s->step);
    const dvec3 other = along->x * along->x < 0.5 ? v3(1.0, 0.0, 0.0) : v3(0.0, 0.0, 1.0);
    *v = v3_unit(dvec3_cross(other, *along));
    *u = dvec3_cross(*along, *v);
}

static built_vertex strand_vertex(const void *user, dvec3 n, double y, int ring, int column)
{
    (void)ring;
    (void)column;
    const strand_tube *t = user;
    const strand *s = t->of;
    dvec3 along, u, v;
    strand_axes(s, &along, &u, &v);
    const double length = dvec3_length(s->step), whole = length * (s->bones - 1), part = y / whole;
    const dvec3 out = dvec3_add(dvec3_scale(u, n.x), dvec3_scale(v, n.z));
    const double wide = s->wide + (s->narrow - s->wide) * part;
    const dvec3 at = dvec3_add(
        s->root, dvec3_add(dvec3_scale(along, y), dvec3_scale(out, part > 0.999 ? 0.0 : wide)));
    built_vertex x = vertex_at(at, out, 0.0, 0.0);
    memcpy(x.color, t->color, sizeof t->color);
    // Half way between two joints both count the same.
    double place = y / length - 0.5;
    place = place < 0.0 ? 0.0 : place > s->bones - 2 ? s->bones - 2 : place;
    const int bone = (int)place;
    memset(x.weights, 0, sizeof x.weights);
    x.joints[0] = (uint8_t)(t->first_joint + bone);
    x.joints[1] = (uint8_t)(t->first_joint + (bone < s->bones - 2 ? bone + 1 : bone));
    x.weights[1] = (float)(place - bone);
    x.weights[0] = 1.0f - x.weights[1];
    return x;
}

static size_t add_text(char *json, size_t used, const char *text)
{
    const size_t size = strlen(text);
    if (used + size < JSON_SIZE)
        memcpy(json + used, text, size + 1);
    return used + size;
}

/// Bones, tube and spring of a strand.
static size_t add_strand(built_model *m, const strand *s, int body, built_primitive *p,
                         const float color[3], char *json, size_t used)
{
    char text[256];
    strand_tube tube = {.of = s, .first_joint = m->joint_count};
    memcpy(tube.color, color, sizeof tube.color);
    snprintf(text, sizeof text, "%s{'name':'%s','colliderGroups':[%s],'joints':[",
             json[used - 1] == '}' ? "," : "", s->name, s->groups);
    used = add_text(json, used, text);
    const dvec3 head = v3(0.0, 0.3, 0.0); // of the body's node
    int parent = body;
    for (int b = 0; b < s->bones; b++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%d", s->name, b);
        const dvec3 at = dvec3_add(s->root, dvec3_scale(s->step, b));
        parent = new_node(m, name, parent,
                          b == 0 ? dvec3_add(s->root, dvec3_scale(head, -1.0)) : s->step);
        m->joints[m->joint_count++] = (built_joint){parent, at};
        snprintf(text, sizeof text, "%s{'node':%d%s%s}", b ? "," : "", parent,
                 b < s->bones - 1 ? "," : "", b < s->bones - 1 ? s->forces : "");
        used = add_text(json, used, text);
    }
    shape_tube(p, dvec3_length(s->step) * (s->bones - 1), STRAND_RINGS, AROUND, strand_vertex,
               &tube);
    return add_text(json, used, "]}");
}

/// One hop in 0.6 s: forward by 0.8 m in two, with a turn to one side and back.
static void add_hop(built_model *m, int root)
{
    const int clip = new_clip(m, "hop");
    double move[HOP_KEYS][4] = {{0.0}};
    for (int k = 0; k < HOP_KEYS; k++) {
        const double part = k % 6 / 6.0; // of a hop
        move[k][0] = 0.1 * k;
        move[k][2] = 1.4 * part * (1.0 - part);
        move[k][3] = 0.8 * (k < 7 ? k : 12 - k) / 6.0;
    }
    move_keys(m, clip, root, (const double(*)[4])move, HOP_KEYS);
    turn_keys(m, clip, root, KEYS({0.0}, {0.6, 0.0, 50.0}, {1.2}));
}

void critter_build(built_model *m)
{
    static const char stiff[] = "'stiffness':2,'dragForce':0.3";
    static const char soft[] = "'stiffness':0.12,'gravityPower':0.5,'dragForce':0.35,"
                               "'hitRadius':0.025";
    static const char tail[] = "'stiffness':0.5,'gravityPower':0.15,"
                               "'gravityDir':[0,-1,0],'dragForce':0.3,'hitRadius':0.03";
    static const float dark[3] = {0.25f, 0.1f, 0.05f}, red[3] = {0.7f, 0.15f, 0.1f};
    static const double around[6][2] = {{0.22, -0.12}, {0.25, 0.02}, {-0.22, -0.12},
                                        {-0.25, 0.02}, {0.1, -0.23}, {-0.1, -0.23}};
    static char json[JSON_SIZE];
    const int skin = new_material(m, "skin", 0.35, 0.55, 0.6, 0.0, 0.5);
    const int eye = new_material(m, "eye", 0.02, 0.02, 0.02, 0.0, 0.2);
    const int hair = new_material(m, "hair", 1.0, 1.0, 1.0, 0.0, 0.6);
    const int root = new_node(m, "root", -1, v3(0.0, 0.0, 0.0));
    const int body = new_mesh_node(m, "body", root, v3(0.0, 0.3, 0.0));
    built_primitive *p = new_primitive(m, skin, HAS_NORMAL);
    shape_ball(p, 0.25, 40, 20);
    shape_sphere(p, frame_at(0.1, -0.26, 0.05), v3(0.08, 0.05, 0.12), 20, 10);
    shape_sphere(p, frame_at(-0.1, -0.26, 0.05), v3(0.08, 0.05, 0.12), 20, 10);
    p = new_primitive(m, eye, HAS_NORMAL);
    shape_sphere(p, frame_at(0.09, 0.06, 0.215), v3(0.035, 0.05, 0.03), 16, 8);
    shape_sphere(p, frame_at(-0.09, 0.06, 0.215), v3(0.035, 0.05, 0.03), 16, 8);

    const int strands = new_mesh_node(m, "strands", -1, v3(0.0, 0.0, 0.0));
    m->nodes[strands].skin = 0;
    m->skeleton = root;
    p = new_primitive(m, hair, HAS_NORMAL | HAS_COLOR | HAS_SKIN);
    m->materials[hair].double_sided = true;
    snprintf(json, sizeof json,
             "'VRMC_springBone':{'specVersion':'1.0','colliders':["
             "{'node':%d,'shape':{'sphere':{'offset':[0,0,0],'radius':0.25}}},"
             "{'node':%d,'shape':{'capsule':{'offset':[0.1,-0.25,0],'radius':0.09,"
             "'tail':[-0.1,-0.25,0]}}}],"
             "'colliderGroups':[{'name':'head','colliders':[0]},"
             "{'name':'feet','colliders':[1]}],'springs':[",
             body, body);
    size_t used = strlen(json);
    for (int side = 0; side < 2; side++) {
        const double x = side ? -1.0 : 1.0;
        strand s = {.root = v3(0.07 * x, 0.53, 0.08),
                    .step = v3(0.018 * x, 0.06, 0.012),
                    .bones = 6,
                    .wide = 0.018,
                    .narrow = 0.01,
                    .forces = stiff,
                    .groups = ""};
        snprintf(s.name, sizeof s.name, "antenna_%c", side ? 'r' : 'l');
        used = add_strand(m, &s, body, p, dark, json, used);
    }
    for (int k = 0; k < 6; k++) {
        // They leave the head at right angles and fall over it.
        const dvec3 out = v3(around[k][0], 0.12, around[k][1]);
        strand s = {.root = dvec3_add(v3(0.0, 0.3, 0.0), dvec3_scale(v3_unit(out), 0.24)),
                    .step = dvec3_scale(v3_unit(out), 0.07),
                    .bones = 6,
                    .wide = 0.03,
                    .narrow = 0.012,
                    .forces = soft,
                    .groups = "0,1"};
        snprintf(s.name, sizeof s.name, "hair_%d", k);
        used = add_strand(m, &s, body, p, red, json, used);
    }
    strand s = {.name = "tail",
                .root = v3(0.0, 0.16, -0.2),
                .step = v3(0.0, 0.02, -0.08),
                .bones = 8,
                .wide = 0.05,
                .narrow = 0.015,
                .forces = tail,
                .groups = "0"};
    used = add_strand(m, &s, body, p, dark, json, used);
    used = add_text(json, used, "]}");
    add_hop(m, root);
    if (used >= JSON_SIZE)
        generator_fail("the text of the springs is too long");
    m->extensions = json;
    m->extensions_used = "'VRMC_springBone'";
}
