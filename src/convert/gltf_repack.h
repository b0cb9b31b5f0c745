// SPDX-License-Identifier: MIT
/// The buffers of a glTF file -> pieces of one buffer (gltf_to_gltf.c).
#pragma once

#include "convert/gltf_package.h"

/// Appends what the buffer views of a file cover to buffer 0 of the package, whose JSON becomes
/// that of the document: its views refer to that buffer, and those of images are gone. Buffers
/// without data come after it. `drop_unused`: so are views that nothing refers to.
zt_result gltf_repack(convert_job *job, const gltf_document *document, bool drop_unused,
                      gltf_package *package);
