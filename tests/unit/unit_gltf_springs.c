// SPDX-License-Identifier: MIT
/// VRMC_springBone: what is read of it, and what is only warned of (unit_mistakes.c has errors).
#include "gltf_fixture.h"

/// Nodes a-b-c-d are a chain from the root, e is alone.
#define FILE_OF(springs)                                                                           \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRMC_springBone'],'scenes':[{'nodes':[0,4]}],"  \
    "'nodes':[{'name':'a','children':[1]},{'name':'b','children':[2],'translation':[0,1,0]},"      \
    "{'name':'c','children':[3],'translation':[0,1,0]},{'name':'d','translation':[0,1,0]},"        \
    "{'name':'e'}],'extensions':{'VRMC_springBone':" springs "}}"

static void load(gltf_case *c, const char *springs)
{
    gltf_case_print(c, NULL, 0, FILE_OF("%s"), springs);
}

Test(gltf_springs, joints_become_links)
{
    GLTF_CASE c = {0};
    load(&c, "{'specVersion':'1.0','colliders':[{'node':0,'shape':{'sphere':{'offset':[1,2,3],"
             "'radius':0.5}}},{'node':4,'shape':{'capsule':{'tail':[0,0,1],'radius':2}}},"
             "{'node':1,'shape':{'sphere':{}}}],"
             "'colliderGroups':[{'colliders':[2]},{'colliders':[1,0,1]}],"
             "'springs':[{'name':'tail','center':4,'colliderGroups':[1,1],'joints':[{'node':1,"
             "'hitRadius':0.25,'stiffness':2,'gravityPower':0.5,'gravityDir':[1,0,0],"
             "'dragForce':0.75},{'node':3}]},{'joints':[{'node':0},{'node':1}]}]}");
    cr_expect_str_eq(c.messages, "");
    const model_springs *s = c.model.springs;
    cr_assert(s && s->chain_count == 2 && s->link_count == 2 && s->collider_count == 3);
    const spring_link *first = &s->links[0], *second = &s->links[1];
    cr_expect_str_eq(c.model.nodes[first->head].name, "a");
    cr_expect_str_eq(c.model.nodes[first->tail].name, "b");
    cr_expect(first->stiffness == 1.0 && first->drag == 0.5 && first->radius == 0.0 &&
              first->gravity[1] == 0.0 && first->center == -1 && first->collider_count == 0);
    cr_expect_str_eq(c.model.nodes[second->head].name, "b");
    cr_expect_str_eq(c.model.nodes[second->tail].name, "d");
    cr_expect_str_eq(c.model.nodes[second->center].name, "e");
    cr_expect(second->stiffness == 2.0 && second->drag == 0.75 && second->radius == 0.25 &&
              second->gravity[0] == 0.5 && second->gravity[1] == 0.0);
    cr_assert(second->collider_count == 2 && second->colliders[0] == 0 &&
              second->colliders[1] == 1);
    cr_expect(s->colliders[0].from[2] == 3.0 && s->colliders[0].to[2] == 3.0 &&
              s->colliders[0].radius == 0.5);
    cr_expect(s->colliders[1].from[2] == 0.0 && s->colliders[1].to[2] == 1.0);
    cr_expect_str_eq(s->chains[second->chain].name, "tail");
}

static void must_warn(const char *springs, const char *part, uint32_t links)
{
    GLTF_CASE c = {0};
    load(&c, springs);
    cr_expect(strstr(c.messages, part), "%s without '%s'", c.messages, part);
    cr_assert(c.model.springs);
    cr_expect_eq(c.model.springs->link_count, links);
    for (uint32_t i = 0; i < c.model.springs->link_count; i++) {
        const spring_link *l = &c.model.springs->links[i];
        cr_expect(l->stiffness >= 0.0 && l->drag >= 0.0 && l->drag <= 1.0 && l->radius >= 0.0);
    }
}

Test(gltf_springs, a_picture_can_do_without_some)
{
    must_warn("{'springs':[]}", "VRMC_springBone of version ''", 0);
    must_warn("{'specVersion':'2.0'}", "VRMC_springBone of version '2.0' is read as 1.0", 0);
    must_warn("{'specVersion':'1.0','springs':[{'joints':[{'node':0},{'node':1},{'node':2}]},"
              "{'joints':[{'node':1},{'node':3}]}]}",
              "/springs/1/joints/0: the node 'b' is a joint of two springs", 2);
    must_warn(
        "{'specVersion':'1.0','springs':[{'joints':[{'node':0,'dragForce':1.5},{'node':1}]}]}",
        "/joints/0/dragForce: dragForce 1.5 is out of range and clamped to 1", 1);
    must_warn("{'specVersion':'1.0','springs':[{'joints':[{'node':0,'stiffness':-1,"
              "'hitRadius':-3},{'node':1}]}]}",
              "stiffness -1 is out of range and clamped to 0", 1);
}

#define OLD_FILE(animation)                                                                        \
    "{'asset':{'version':'2.0'},'extensionsUsed':['VRM'],'scenes':[{'nodes':[0,4]}],"              \
    "'nodes':[{'name':'a','children':[1,5]},{'name':'b','children':[2],'translation':[0,1,0]},"    \
    "{'name':'c','children':[3],'translation':[0,1,0]},{'name':'d','translation':[0,2,0],"         \
    "'rotation':[0,0,1,0]},{'name':'e'},{'name':'f','translation':[1,0,0]}],"                      \
    "'extensions':{'VRM':{'secondaryAnimation':" animation "}}}"

static int32_t node_of(const gltf_case *c, const char *name)
{
    return (int32_t)gltf_case_node(c, name);
}

Test(gltf_springs, groups_of_vrm_0_become_links)
{
    GLTF_JSON(c, 0,
              OLD_FILE("{'colliderGroups':[{'node':4,'colliders':[{'offset':{'x':1,'y':2,"
                       "'z':3},'radius':0.5},{'radius':1}]}],'boneGroups':[{'comment':'hair',"
                       "'stiffiness':0.75,'gravityPower':0.5,'gravityDir':{'x':0,'y':-1,'z':2},"
                       "'dragForce':0.25,'center':-1,'hitRadius':0.125,'bones':[0],"
                       "'colliderGroups':[0]},{'center':4,'bones':[3]}]}"),
              NULL, 0);
    MUST(c.result, c.err);
    SAYS(c.messages, "/boneGroups/1/bones/0: the bone 'd' swings already");
    const model_springs *s = c.model.springs;
    cr_assert(s && s->chain_count == 2 && s->link_count == 5 && s->collider_count == 2);
    cr_expect_str_eq(s->chains[0].name, "hair");
    cr_expect(s->colliders[0].from[0] == 1.0 && s->colliders[0].from[2] == -3.0 &&
              s->colliders[0].to[2] == -3.0 && s->colliders[1].radius == 1.0);
    for (uint32_t i = 0; i < s->link_count; i++) {
        const spring_link *l = &s->links[i];
        cr_expect(l->stiffness == 0.75 && l->drag == 0.25 && l->radius == 0.125 &&
                  l->gravity[1] == -0.5 && l->gravity[2] == 1.0 && l->center == -1 &&
                  l->collider_count == 2);
        if (l->head == node_of(&c, "a"))
            cr_expect_eq(l->tail, node_of(&c, "b"), "towards the first child");
        if (l->head == node_of(&c, "c"))
            cr_expect_eq(l->tail, node_of(&c, "d"));
        if (l->head == node_of(&c, "d")) // turned by 180 degrees about z
            cr_expect(l->tail == -1 && l->tip[1] < -0.0699999 && l->tip[1] > -0.0700001);
        if (l->head == node_of(&c, "f"))
            cr_expect(l->tail == -1 && l->tip[0] > 0.0699999 && l->tip[0] < 0.0700001);
    }
}

Test(gltf_springs, our_model_needs_no_words)
{
    GLTF_FILE(c, 0, ZT_SOURCE_DIR "/scenes/models/critter.glb");
    MUST(c.result, c.err);
    cr_expect_str_eq(c.messages, "");
    cr_expect(c.model.springs && c.model.springs->chain_count == 9 &&
              c.model.springs->link_count == 8 * 5 + 7);
}

/// Defaults of a link, in both versions.
Test(gltf_springs, defaults_are_those_of_the_specifications)
{
    static const char *const files[] = {
        FILE_OF("{'specVersion':'1.0','springs':[{'joints':[{'node':0,'gravityPower':0.5},"
                "{'node':1}]}]}"),
        OLD_FILE("{'boneGroups':[{'gravityPower':0.5,'bones':[0]}]}")};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        GLTF_TEXT(c, 0, files[i]);
        const spring_link *l = &c.model.springs->links[0];
        cr_expect(l->gravity[0] == 0.0 && l->gravity[1] == -0.5 && l->gravity[2] == 0.0,
                  "file %zu: %g %g %g", i, l->gravity[0], l->gravity[1], l->gravity[2]);
        cr_expect(l->stiffness == 1.0 && l->drag == 0.5 && l->radius == 0.0 && l->center == -1);
    }
}
