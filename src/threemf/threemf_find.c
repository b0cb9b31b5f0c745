// SPDX-License-Identifier: MIT
/// Parts by their relations and names, and resources by the numbers that their part gives them.
#include "threemf/threemf_parts.h"

#include <stdio.h>
#include <string.h>

zt_result threemf_open_xml(threemf_package *p, const zip_entry *entry, xml_reader *x, zt_error *err)
{
    const size_t length = strlen(p->source->path) + strlen(entry->name) + 2;
    file_bytes bytes;
    char *place;
    ZT_TRY(zip_read(&p->zip, entry, &bytes, err));
    ZT_TRY(xml_decode(p->scratch, &bytes, err));
    ZT_TRY(ARENA_TAKE_RAW(p->scratch, &place, length, "3MF", err));
    snprintf(place, length, "%s:%s", p->source->path, entry->name);
    xml_begin(x, place, (const char *)bytes.data, bytes.size, err);
    return ZT_OK;
}

zt_result threemf_find_related(threemf_package *p, const char *kind, const char **out,
                               zt_error *err)
{
    const zip_entry *entry = zip_find(&p->zip, "_rels/.rels");
    const size_t length = strlen(kind);
    xml_reader x;
    if (!entry)
        return ZT_OK;
    ZT_TRY(threemf_open_xml(p, entry, &x, err));
    for (;;) {
        xml_event event;
        ZT_TRY(xml_next(&x, &event));
        if (event == XML_END)
            return ZT_OK;
        const xml_slice *type = event == XML_OPEN ? xml_attribute_of(&x, "Type") : NULL;
        if (!type || (size_t)(type->end - type->begin) < length ||
            memcmp(type->end - length, kind, length) != 0)
            continue;
        *out = xml_text(p->scratch, xml_attribute_of(&x, "Target"));
        return *out ? ZT_OK : arena_fail(p->scratch, err, "3MF");
    }
}

uint32_t threemf_add_part(threemf_package *p, const char *name)
{
    const zip_entry *entry = zip_find(&p->zip, name);
    name = entry ? entry->name : name; // in any case
    uint32_t *slot = hash_table_text(&p->parts, p->part, sizeof *p->part, name);
    if (*slot == 0 && p->part_count < THREEMF_PARTS) {
        p->part[p->part_count] = name;
        *slot = ++p->part_count;
    }
    return *slot - 1;
}

/// The slot of a key among `items` of `size` bytes, which begin with theirs.
static uint32_t *find(const hash_table *table, const void *items, size_t size, threemf_key key)
{
    uint32_t *slot = hash_table_first(table, hash_number(hash_number(0, key.part), key.id));
    for (; *slot != 0; slot = hash_table_next(table, slot)) {
        threemf_key other;
        memcpy(&other, (const uint8_t *)items + (*slot - 1) * size, sizeof other);
        if (other.part == key.part && other.id == key.id)
            break;
    }
    return slot;
}

/// The first of several with one key stays.
static bool fill(hash_table *table, arena *a, const void *items, size_t size, uint32_t count)
{
    if (!hash_table_init(table, a, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        threemf_key key;
        memcpy(&key, (const uint8_t *)items + i * size, sizeof key);
        uint32_t *slot = find(table, items, size, key);
        *slot = *slot ? *slot : i + 1;
    }
    return true;
}

zt_result threemf_index(threemf_package *p, zt_error *err)
{
    const bool done =
        fill(&p->objects, p->scratch, p->object, sizeof *p->object, p->object_count) &&
        fill(&p->groups, p->scratch, p->group, sizeof *p->group, p->group_count) &&
        fill(&p->textures, p->scratch, p->texture, sizeof *p->texture, p->texture_count);
    return done ? ZT_OK : arena_fail(p->scratch, err, "3MF");
}

threemf_object *threemf_find_object(const threemf_package *p, threemf_key key)
{
    const uint32_t number = *find(&p->objects, p->object, sizeof *p->object, key);
    return number ? &p->object[number - 1] : NULL;
}

const threemf_group *threemf_find_group(const threemf_package *p, threemf_key key)
{
    const uint32_t number = *find(&p->groups, p->group, sizeof *p->group, key);
    return number ? &p->group[number - 1] : NULL;
}

int32_t threemf_find_texture(const threemf_package *p, threemf_key key)
{
    return (int32_t)*find(&p->textures, p->texture, sizeof *p->texture, key) - 1;
}
