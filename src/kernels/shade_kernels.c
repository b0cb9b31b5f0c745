// SPDX-License-Identifier: MIT
// The loops of shade, from visible samples to linear colours, of one instruction set.
#include "kernels/stage_table.h"
#include "shade/albedo_table.h"
#include "shade/shade_loops.h"
#include "simd/powers_lanes.h"
#include "simd/vec3_lanes.h"

// clang-format off
#include "environment/octahedral.inl"
#include "environment/environment.inl"
#include "surface/texture.inl"
#include "surface/anisotropy.inl"
#include "surface/surface.inl"
#include "surface/surface_screen.inl"
#include "surface/surface_hits.inl"
#include "shade/normals.inl"
#include "shadow/occlusion_words.inl"
#include "shadow/occlusion_light.inl"
#include "shade/bsdf.inl"
#include "shade/material_alpha.inl"
#include "shade/alpha_test.inl"
#include "shade/shade_traits.inl"
#include "shade/shade_rays.inl"
#include "shade/shade_point.inl"
#include "shade/lobe_maps.inl"
#include "shade/light_arrival.inl"
#include "shade/hit.inl"
#include "shade/bsdf_probe.inl"
#include "shade/integrator.inl"
#include "shadow/shadow.inl"
#include "shadow/shadow_soft.inl"
#include "shadow/shadow_lit.inl"
#include "shadow/shadow_lookup.inl"
#include "shade/shade_shadows.inl"
#include "shade/visible_samples.inl"
#include "shade/wireframe.inl"

#include "shade/planes.inl"
#include "shade/lens.inl"
#include "shade/shade.inl"
#include "shade/ground.inl"
// clang-format on

extern const shade_loops STAGE_TABLE(shade);
const shade_loops STAGE_TABLE(shade) = {.alpha_test = alpha_test,
                                        .caster_alpha = caster_alpha,
                                        .caster_hits = caster_hits,
                                        .bsdf_probe = bsdf_probe,
                                        .shade = shade,
                                        .is_common = shade_is_common,
                                        .ground = ground};
