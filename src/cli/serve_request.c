// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memfd_create
#include "cli/serve_request.h"

#include "cli/serve_frame.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void request_free(server *s, request *r)
{
    free(r->line);
    free(r->path);
    close_file(&r->files);
    close_file(&r->output);
    s->bytes -= r->bytes;
    if (r->client >= 0)
        s->clients[r->client].items--;
    *r = (request){.client = -1, .files = -1, .output = -1};
}

void request_taken(void *user, int64_t item)
{
    server *s = user;
    request_free(s, &s->requests[item]);
}

request *request_find(server *s, int client, const char *id)
{
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].state != REQUEST_NONE && s->requests[i].state != REQUEST_ANSWERED &&
            s->requests[i].client == client && strcmp(s->requests[i].id, id) == 0)
            return &s->requests[i];
    return NULL;
}

void request_cancel(server *s, request *r)
{
    const int64_t item = r - s->requests;
    if (r->state == REQUEST_WORKING) {
        r->cancelled = true;
        worker_pool_cancel(s->pool, item);
        return;
    }
    if (r->client >= 0) {
        serve_client *c = &s->clients[r->client];
        c->item = c->item == item ? -1 : c->item; // what is still to come is dropped
        serve_refuse(&s->clients[r->client], r->id, CANCELLED, "cancelled", false);
    }
    request_free(s, r);
}

request *request_slot(server *s, int client, uint64_t bytes)
{
    int slot = -1;
    const int share =
        s->o->serve.stdio ? s->request_count : s->o->jobs + (s->o->serve.queue + 1) / 2;
    for (int i = 0; i < s->request_count && slot < 0; i++)
        slot = s->requests[i].state == REQUEST_NONE ? i : -1;
    const bool fits = bytes <= s->bytes_max - s->bytes && s->clients[client].items < share;
    return slot >= 0 && fits ? &s->requests[slot] : NULL;
}

bool request_begin(server *s, request *r, int client, const serve_call *call, const char *path,
                   const char *line, size_t size)
{
    *r = (request){.state = REQUEST_COMING,
                   .client = client,
                   .files = -1,
                   .output = -1,
                   .bytes = call->bytes,
                   .progress = call->progress,
                   .turn = s->turn++};
    s->clients[client].items++;
    s->bytes += r->bytes;
    snprintf(r->id, sizeof r->id, "%s", call->id);
    r->line = malloc(size + 1);
    r->path = path ? strdup(path) : NULL;
    r->line_size = size;
    r->output = memfd_create("zoetrope-output", MFD_CLOEXEC);
    if (r->bytes > 0)
        r->files = memfd_create("zoetrope-input", MFD_CLOEXEC);
    if (r->line && (r->path || !path) && r->output >= 0 && (r->files >= 0 || r->bytes == 0)) {
        memcpy(r->line, line, size);
        return true;
    }
    request_free(s, r);
    return false;
}
