// SPDX-License-Identifier: MIT
/// Which bones correspond: rigs by their names, rigs of mixed names, bones of equal names.
#include "retarget_bodies.h"
#include "testing.h"

TestSuite(rig_names, .init = bodies_begin, .fini = bodies_end);

Test(rig_names, rigs_are_known_by_their_names)
{
    static const struct {
        int32_t kind;
        const char *prefix;
    } rigs[] = {
        {RIG_MIXAMO, "mixamorig:"},
        {RIG_MIXAMO, "mixamorig"},
        {RIG_MIXAMO, ""},
        {RIG_MIXAMO, "mixamorig9:"},
        {RIG_RIGIFY, "DEF-"},
        {RIG_RIGIFY, "ORG-"},
        {RIG_RIGIFY, ""},
        {RIG_VRM, ""},
        {RIG_VROID, ""},
        {RIG_QUATERNIUS, ""},
        {RIG_UNREAL, ""},
        {RIG_KAYKIT, ""},
        {RIG_BIPED, "Bip01 "},
        {RIG_BIPED, "Bip001 "},
        {RIG_DAZ, ""},
        {RIG_CHARACTER_CREATOR, "CC_Base_"},
        {RIG_MMD, ""},
    };
    for (size_t n = 0; n < sizeof rigs / sizeof *rigs; n++) {
        static body b;
        rig found;
        body_plan plan = plain;
        plan.kind = rigs[n].kind;
        plan.prefix = rigs[n].prefix;
        make_body(&b, &plan);
        cr_assert(rig_find(&b.model, &scratch, &found));
        cr_expect_eq(found.kind, plan.kind, "%s%d is %d", plan.prefix, plan.kind, found.kind);
        for (int32_t part = 0; part < RIG_PART_COUNT; part++)
            cr_expect_eq(found.node[part], b.node_of[part], "part %d of %s%d is %d, not %d", part,
                         plan.prefix, plan.kind, found.node[part], b.node_of[part]);
    }
}

/// A spine of one habit and limbs of another: "spine" is not Rigify's name of the hips there.
Test(rig_names, rigs_of_mixed_habits)
{
    static const struct {
        int32_t part;
        const char *name;
    } names[] = {{RIG_HIPS, "hips"},        {RIG_SPINE1, "spine"},
                 {RIG_SPINE1 + 1, "chest"}, {RIG_SPINE1 + 2, "upper_chest"},
                 {RIG_NECK1, "neck"},       {RIG_HEAD, "head"}};
    static body mixed, mixamo;
    rig found;
    body_plan plan = plain;
    plan.kind = RIG_RIGIFY;
    make_body(&mixed, &plan);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        mixed.nodes[mixed.node_of[names[i].part]].name = names[i].name;
    mixed.nodes[mixed.node_of[RIG_NECK2]].name = "collar";
    cr_assert(rig_find(&mixed.model, &scratch, &found));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(found.node[names[i].part], mixed.node_of[names[i].part], "%s", names[i].name);
    cr_expect_eq(found.node[RIG_LEFT + RIG_LOWER_LEG], mixed.node_of[RIG_LEFT + RIG_LOWER_LEG]);
    animate(&mixed, 3, MODEL_LINEAR);
    make_body(&mixamo, &plain);
    const retarget_result done = retarget_body(&mixamo, &mixed, RETARGET_FITTED);
    cr_expect(done.bone_count > 20, "%u bones", done.bone_count);
}

/// A bone that is no part of the target's rig corresponds to one of its name that is in the source.
Test(rig_names, equal_names_always_correspond)
{
    static body from, to;
    uint32_t count[2];
    body_plan plan = plain;
    plan.kind = RIG_UNREAL;
    make_body(&from, &plan);
    animate(&from, 5, MODEL_LINEAR);
    plan.kind = RIG_KAYKIT; // which has no shoulders
    for (int renamed = 0; renamed < 2; renamed++) {
        make_body(&to, &plan);
        if (renamed)
            to.nodes[to.node_of[RIG_LEFT + RIG_TOES]].name =
                from.nodes[from.node_of[RIG_LEFT + RIG_SHOULDER]].name;
        count[renamed] = retarget_body(&to, &from, RETARGET_FITTED).bone_count;
    }
    cr_expect_eq(count[0], count[1], "%u bones, and %u", count[0], count[1]);
}

/// Clips of each rig for each other one: every part that both have moves.
Test(rig_names, every_rig_moves_every_other)
{
    for (int32_t n = 0; n < RIG_KIND_COUNT * RIG_KIND_COUNT; n++) {
        static body from, to;
        body_plan plan = plain;
        plan.kind = n / RIG_KIND_COUNT;
        plan.prefix = plan.kind == RIG_BIPED ? "Bip01 " : "";
        make_body(&from, &plan);
        animate(&from, (uint64_t)n + 1, MODEL_LINEAR);
        plan.kind = n % RIG_KIND_COUNT;
        plan.prefix = plan.kind == RIG_BIPED ? "Bip01 " : "";
        make_body(&to, &plan);
        const retarget_result done = retarget_body(&to, &from, RETARGET_FITTED);
        uint32_t common = 0, chain = 0;
        for (int32_t part = 0; part < RIG_PART_COUNT; part++) {
            const bool spine = part >= RIG_SPINE1 && part <= RIG_NECK2;
            chain += spine && to.node_of[part] >= 0;
            common += !spine && to.node_of[part] >= 0 && from.node_of[part] >= 0;
        }
        // "Armature" has the same name in all.
        cr_expect_eq(done.bone_count, common + chain + 1, "%d to %d: %u bones, not %u",
                     n / RIG_KIND_COUNT, n % RIG_KIND_COUNT, done.bone_count, common + chain + 1);
    }
}
