// SPDX-License-Identifier: MIT
/// Nodes for readers to begin with.
#pragma once

#include "model/model.h"

/// A root that is shown, without anything; its name is kept by the caller.
model_node model_node_default(const char *name);
/// By node [count]: the nearest one above it that is no helper, or -1.
void model_find_bones_above(const model_node *nodes, uint32_t count, int32_t *out);
/// Writes `a` as T R S, mirrored along x where it mirrors. False: its columns are not square, and
/// the result is an approximation.
bool model_trs_from_affine(const affine *a, trs *out);
