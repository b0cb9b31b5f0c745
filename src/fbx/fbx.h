// SPDX-License-Identifier: MIT
/// FBX files of Autodesk's programs and others: versions 6.0 to 7.7, binary and text.
#pragma once

#include "model/model_format.h"

extern const model_format fbx_format;
