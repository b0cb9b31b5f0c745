// SPDX-License-Identifier: MIT
/// Environments on disk, so that a picture of light is filtered once and not in each process.
/// Nothing here fails: a file that is absent, broken or of another version is as good as none.
#pragma once

#include "environment/environment_build.h"

/// The version of environment_build: raise it when its bits change (kernels_light.c has a hash).
enum { ENVIRONMENT_CACHE_VERSION = 2 };

/// Reads the environment of the picture with this hash from `folder`, texels in `a`. False: none.
bool environment_cache_load(const char *folder, uint64_t picture, const environment_sizes *sizes,
                            arena *a, environment *out);

/// Writes it: the file appears whole. Several processes may write the same one.
void environment_cache_store(const char *folder, uint64_t picture, const environment_sizes *sizes,
                             arena *a, const environment *e);
