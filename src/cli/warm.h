// SPDX-License-Identifier: MIT
/// Budget, renderer and scene, which a worker of `serve` keeps for the next request: the scene if
/// its files have not changed. Without it (options.warm NULL) nothing is kept.
#pragma once

#include "cli/serve_call.h"

typedef struct warm_store warm_store;

/// NULL: no memory.
warm_store *warm_store_create(void);
/// Begins a request: `o`, which stays until its end, gets a budget by its limits, the one that is
/// kept if they are the same. Takes `upload`.
zt_result warm_store_begin(warm_store *w, options *o, serve_upload *upload, zt_error *err);
/// Ends it. Without `keeps` nothing is kept. True: something of an earlier request was used.
bool warm_store_end(warm_store *w, bool keeps);

/// zt_scene_load() by o->load, or the scene that is kept of the same input and flags.
zt_result warm_scene_load(const options *o, const char *input, zt_scene **out, zt_error *err);
/// zt_scene_apply() by o->shot, of a command that sets a scene this once. A scene that is kept of
/// the same request is set, so that the renderer's posed vertices and shadows stay.
zt_result warm_scene_apply(const options *o, zt_scene *scene, zt_error *err);
void warm_scene_destroy(const options *o, zt_scene *scene);
zt_result warm_renderer_create(const options *o, zt_renderer **out, zt_error *err);
void warm_renderer_destroy(const options *o, zt_renderer *renderer);
