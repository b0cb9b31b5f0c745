// SPDX-License-Identifier: MIT
/// The materials of an OBJ file: of the MTL files that it names.
#pragma once

#include "model/file_textures.h"
#include "obj/mtl.h"
#include "obj/obj_file.h"

/// Makes f->material_count materials, and one more for lines and points. What is missing is plain,
/// with a warning.
zt_result obj_make_materials(const obj_file *f, const model_source *source, model_report *report,
                             zt_model *model, arena *scratch, const model_material **out,
                             zt_error *err);
