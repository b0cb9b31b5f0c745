// SPDX-License-Identifier: MIT
/// Tangents for meshes whose file gives none.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"

/// Fills tangents (attributes.t*, tangent_w) where a file has none, by MikkTSpace's definition, and
/// splits vertices whose corners disagree: arrays may be replaced and grow. Normals come from the
/// readers. The result does not depend on `pool`, which may be NULL.
zt_result tangents_generate(job_pool *pool, arena *scratch, mesh_source *mesh, zt_error *err);
