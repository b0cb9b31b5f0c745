// SPDX-License-Identifier: MIT
// The meshes of a frame as they are at another time.
#include "render/frame_pose.h"

/// Draws are in the order of instances, and of the nodes of each.
static uint64_t order_of(const geometry_draw *draw)
{
    return (uint64_t)draw->instance << 32 | draw->node;
}

/// Leaves hulls of outlines out: they move with their meshes.
static uint32_t without_outlines(geometry_draw *draws, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!draws[i].outline)
            draws[kept++] = draws[i];
    return kept;
}

zt_result frame_motion_build(const zt_scene *scene, const frame_pose *pose, frame_time time,
                             arena *a, frame_motion *out, zt_error *err)
{
    frame_pose then;
    ZT_TRY(frame_pose_build(pose->loops, scene, time, a, &then, err));
    ZT_TRY(ARENA_TAKE(a, &out->draw, pose->draw_count, "meshes at another time", err));
    out->geometry = (geometry_frame){.draws = then.draws,
                                     .draw_count = without_outlines(then.draws, then.draw_count),
                                     .posed_meshes = then.posed_meshes,
                                     .posed_mesh_count = then.posed_mesh_count};
    uint32_t at = 0;
    for (uint32_t i = 0; i < pose->draw_count; i++) {
        const uint64_t order = order_of(&pose->draws[i]);
        while (at < out->geometry.draw_count && order_of(&then.draws[at]) < order)
            at++;
        if (at < out->geometry.draw_count && order_of(&then.draws[at]) == order)
            out->draw[i] = &then.draws[at];
    }
    return geometry_positions_init(&out->geometry, a, err);
}
