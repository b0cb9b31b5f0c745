// SPDX-License-Identifier: MIT
/// Volumes that are no parts of the thing, as slicers name them in files of Metadata: PrusaSlicer
/// ranges of an object's triangles (Slic3r_PE_model.config), Bambu Studio and OrcaSlicer components
/// of an object (model_settings.config).
#include "threemf/threemf_parts.h"

/// The kind of a volume by the words of all programs; "1": of a modifier without a type. 0: a part.
static uint32_t kind_of(const xml_slice *value)
{
    static const struct {
        const char *word, *other;
        uint32_t kind;
    } words[] = {{"NegativeVolume", "negative_part", THREEMF_NEGATIVE},
                 {"ParameterModifier", "modifier_part", THREEMF_MODIFIER},
                 {"SupportEnforcer", "support_enforcer", THREEMF_SUPPORT},
                 {"SupportBlocker", "support_blocker", THREEMF_SUPPORT},
                 {"1", "1", THREEMF_MODIFIER}};
    for (size_t i = 0; value && i < sizeof words / sizeof *words; i++)
        if (xml_is(*value, words[i].word) || xml_is(*value, words[i].other))
            return words[i].kind;
    return 0;
}

static zt_result leave_out_range(threemf_package *p, threemf_key object, uint32_t first,
                                 uint32_t last, zt_error *err)
{
    threemf_object *o = threemf_find_object(p, object);
    if (!o || first > last || first >= o->triangle_count)
        return ZT_OK;
    if (!o->left_out)
        ZT_TRY(ARENA_TAKE(p->scratch, &o->left_out, (size_t)o->triangle_count + 1, "3MF", err));
    o->left_out[first]++;
    o->left_out[last < o->triangle_count ? last + 1 : o->triangle_count]--;
    return ZT_OK;
}

static zt_result leave_out_component(threemf_package *p, threemf_key object, uint32_t id,
                                     zt_error *err)
{
    threemf_object *o = threemf_find_object(p, object);
    for (uint32_t i = 0; o && i < o->use_count; i++)
        o->use[i].left_out = o->use[i].left_out || o->use[i].object.id == id;
    return arena_work(p->scratch, o ? o->use_count : 0, "components", err);
}

static zt_result read_volumes(threemf_package *p, xml_reader *x, zt_error *err)
{
    threemf_key object = {0, UINT32_MAX};
    uint32_t first = 0, last = 0, kind = 0;
    for (uint32_t i = 0;; i++) {
        xml_event event;
        ZT_TRY(xml_next(x, &event));
        ZT_TRY(arena_go_on_at(p->scratch, i, "3MF", err));
        if (event == XML_END)
            return ZT_OK;
        if (event == XML_CLOSE && kind && xml_is(x->name, "volume")) {
            p->left_out |= kind;
            ZT_TRY(leave_out_range(p, object, first, last, err));
        } else if (event == XML_CLOSE) {
            continue;
        } else if (xml_is(x->name, "object")) {
            object.id = xml_index(x, "id");
        } else if (xml_is(x->name, "volume")) {
            first = xml_index(x, "firstid");
            last = xml_index(x, "lastid");
            kind = 0;
        } else if (xml_is(x->name, "metadata")) {
            const xml_slice *key = xml_attribute_of(x, "key");
            if (key && (xml_is(*key, "volume_type") || (!kind && xml_is(*key, "modifier"))))
                kind = kind_of(xml_attribute_of(x, "value"));
            const uint32_t number = xml_index(x, "value");
            if (key && xml_is(*key, "extruder") && number > 1 && number < UINT32_MAX)
                p->left_out |= THREEMF_FILAMENT;
        } else if (xml_is(x->name, "part") && kind_of(xml_attribute_of(x, "subtype"))) {
            p->left_out |= kind_of(xml_attribute_of(x, "subtype"));
            ZT_TRY(leave_out_component(p, object, xml_index(x, "id"), err));
        }
    }
}

zt_result threemf_read_slicer(threemf_package *p, zt_error *err)
{
    static const char *const names[] = {"Metadata/Slic3r_PE_model.config",
                                        "Metadata/SuperSlicer_model.config",
                                        "Metadata/model_settings.config"};
    for (int i = 0; i < 3; i++) {
        xml_reader x;
        zt_error why = {ZT_OK, ""};
        const zip_entry *entry = zip_find(&p->zip, names[i]);
        zt_result r = entry ? threemf_open_xml(p, entry, &x, &why) : ZT_OK;
        if (r == ZT_OK && entry)
            r = read_volumes(p, &x, &why);
        if (r == ZT_ERR_FORMAT || r == ZT_ERR_UNSUPPORTED)
            ZT_TRY(model_warn(&p->report, err, "%.300s", why.message));
        else if (r != ZT_OK)
            return zt_fail(err, r, "%s", why.message);
    }
    return ZT_OK;
}
