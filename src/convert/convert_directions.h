// SPDX-License-Identifier: MIT
/// The three directions of a conversion. Each writes its files through job->files, for the caller
/// to commit, and reports what the target format cannot express with convert_report_loss().
///
/// glTF -> glTF copies the JSON and moves the buffers, so that nothing is interpreted and nothing
/// lost. .m3d -> glTF and any model -> .m3d start from a zt_model.
#ifndef ZT_CONVERT_CONVERT_DIRECTIONS_H
#define ZT_CONVERT_CONVERT_DIRECTIONS_H

#include "convert/convert_job.h"
#include "model/model.h"

/// Reads job->source.bytes itself.
zt_result convert_gltf_to_gltf(convert_job *job);
/// `model` was loaded from an .m3d.
zt_result convert_m3d_to_gltf(convert_job *job, const zt_model *model);
/// `model` was loaded from job->source; `from_gltf` says which format that is.
zt_result convert_model_to_m3d(convert_job *job, const zt_model *model, bool from_gltf);

#endif
