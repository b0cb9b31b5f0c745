// SPDX-License-Identifier: MIT
/// The polygons of an OBJ file -> a mesh.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"
#include "obj/obj_file.h"

/// Fills a mesh in f->a, with normals. Lines and points get the material f->material_count.
/// `middle` is subtracted from positions. *out_normals: some corners had none, and all were made.
zt_result obj_build(job_pool *pool, const obj_file *f, const double middle[3], mesh_source *out,
                    bool *out_normals, zt_error *err);
