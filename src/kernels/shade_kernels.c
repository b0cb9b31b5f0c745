// SPDX-License-Identifier: MIT
// The loops of shade, from visible samples to pixels, of one instruction set.
#include "kernels/stage_table.h"
#include "shade/albedo_table.h"
#include "shade/shade_loops.h"

// clang-format off
#include "environment/octahedral.inl"
#include "environment/equirectangular.inl"
#include "shade/texture.inl"
#include "shade/anisotropy.inl"
#include "shade/surface.inl"
#include "shade/surface_screen.inl"
#include "shade/surface_hits.inl"
#include "shade/normals.inl"
#include "shade/environment.inl"
#include "shade/occlusion.inl"
#include "shade/occlusion_light.inl"
#include "shade/bsdf_point.inl"
#include "shade/bsdf_flat.inl"
#include "shade/bsdf_ggx.inl"
#include "shade/powers.inl"
#include "shade/bsdf_coat.inl"
#include "shade/bsdf_sheen.inl"
#include "shade/bsdf_ellipse.inl"
#include "shade/bsdf_thin_film.inl"
#include "shade/bsdf_glass.inl"
#include "shade/bsdf.inl"
#include "shade/shade_traits.inl"
#include "shade/shade_point.inl"
#include "shade/look.inl"
#include "shade/lobe_maps.inl"
#include "shade/bsdf_probe.inl"
#include "shade/integrator.inl"
#include "shade/shadow.inl"
#include "shade/shadow_soft.inl"
#include "shade/shadow_lit.inl"
#include "shade/shadow_lookup.inl"
#include "shade/visible_samples.inl"
#include "shade/lens.inl"
#include "shade/shade.inl"
#include "shade/ground.inl"
#include "shade/blend.inl"
#include "shade/tone_maps.inl"
#include "shade/film.inl"
#include "shade/backdrop.inl"
#include "shade/behind.inl"
#include "shade/blend_glass.inl"
// clang-format on

extern const shade_loops STAGE_TABLE(shade);
const shade_loops STAGE_TABLE(shade) = {.alpha_test = alpha_test,
                                        .caster_alpha = caster_alpha,
                                        .bsdf_probe = bsdf_probe,
                                        .occlusion_distance = occlusion_distance,
                                        .occlusion_search = occlusion_search,
                                        .occlusion_smooth = occlusion_smooth,
                                        .occlusion_join = occlusion_join,
                                        .shade = shade,
                                        .is_common = shade_is_common,
                                        .ground = ground,
                                        .premultiply = premultiply,
                                        .blend = blend,
                                        .backdrop = film_fill_backdrop,
                                        .film = film,
                                        .behind_resolve = behind_resolve,
                                        .behind_reduce = behind_reduce};
