// SPDX-License-Identifier: MIT
// Rays through the pixels of a view.

/// Vector from the eye towards the point seen at (px, py), per unit of w, in perspective.
ZT_LANE_OP vec3_lanes shade_ray(const shade_frame *f, vf px, vf py)
{
    const vec3_lanes ray = vec3_set1(f->view.ray), ray_x = vec3_set1(f->view.ray_x),
                     ray_y = vec3_set1(f->view.ray_y);
    return (vec3_lanes){(ray.x + ray_x.x * px) + ray_y.x * py,
                        (ray.y + ray_x.y * px) + ray_y.y * py,
                        (ray.z + ray_x.z * px) + ray_y.z * py};
}
