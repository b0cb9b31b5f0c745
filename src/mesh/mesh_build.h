// SPDX-License-Identifier: MIT
/// From the arrays of a reader to a mesh of the model.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh.h"
#include "mesh/mesh_source.h"

/// Cuts a mesh into meshlets and copies it, padded, into `keep`. Every index must be in range.
/// The result does not depend on `pool`, which may be NULL.
zt_result mesh_build(job_pool *pool, arena *keep, arena *scratch, const mesh_source *source,
                     model_mesh *out, zt_error *err);
