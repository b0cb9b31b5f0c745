// SPDX-License-Identifier: MIT
#pragma once

#include "inspect/inspect.h"

/// The person of a VRM file, or NULL.
json_value *inspect_vrm(json_builder *b, const zt_model *m);
