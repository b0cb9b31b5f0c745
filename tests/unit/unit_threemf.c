// SPDX-License-Identifier: MIT
/// 3MF packages, made here of stored parts, and the XML and ZIP in them.
#include "model_reader.h"
#include "package.h"
#include "threemf/threemf.h"
#include "threemf/xml.h"

READER_SUITE(threemf, "a.3mf");

static zt_result finish(package *p)
{
    package_finish(p);
    return reader_read(p->bytes, p->size);
}

static zt_result read_model(const char *model)
{
    package p = {0};
    package_add_text(&p, "3D/3dmodel.model", model);
    return finish(&p);
}

static void must_read_model(const char *model)
{
    cr_assert_eq(read_model(model), ZT_OK, "%s", reader.err.message);
}

#define FACE                                                                                       \
    "<mesh><vertices><vertex x='0' y='0' z='0'/><vertex x='10' y='0' z='0'/>"                      \
    "<vertex x='0' y='10' z='20'/></vertices><triangles>"
#define END_FACE "</triangles></mesh>"

static dvec3 place(uint32_t node, dvec3 p)
{
    affine world[16];
    cr_assert_leq(reader.model.node_count, 16u);
    model_place_nodes(&reader.model, NULL, world);
    return affine_point(&world[node], p);
}

Test(threemf, units_axes_and_transforms)
{
    must_read_model("<model unit='inch'><resources><object id='2' name='a'>" FACE
                    "<triangle v1='0' v2='1' v3='2'/>" END_FACE "</object>"
                    "<object id='3'><components><component objectid='2' "
                    "transform='0 1 0 -1 0 0 0 0 2 1 2 3'/></components></object>"
                    "</resources><build><item objectid='3' "
                    "transform='1 0 0 0 1 0 0 0 1 10 0 0'/></build></model>");
    const zt_model *m = &reader.model;
    cr_assert(m->node_count == 3 && m->triangle_count == 1 && m->nodes[2].mesh == 0);
    cr_assert_str_eq(m->nodes[2].name, "a");
    // Row vectors: x goes to y. Then by (11, 2, 3), z up, in inches.
    const dvec3 p = place(2, (dvec3){4.0, 0.0, 1.0});
    cr_assert_lt(dvec3_length(dvec3_sub(p, dvec3_scale((dvec3){11.0, 5.0, -6.0}, 0.0254))), 1e-6);
}

Test(threemf, properties_are_colours_and_coordinates)
{
    must_read_model("<model><resources>"
                    "<basematerials id='1'><base name='r' displaycolor='#FF0000'/>"
                    "<base name='g' displaycolor='#00FF0080'/></basematerials>"
                    "<m:colorgroup id='2'><m:color color='#0000FF'/></m:colorgroup>"
                    "<m:compositematerials id='5' matid='1' matindices='0 1'>"
                    "<m:composite values='0.25 0.75'/></m:compositematerials>"
                    "<object id='7' pid='1' pindex='0'>" FACE "<triangle v1='0' v2='1' v3='2'/>"
                    "<triangle v1='0' v2='2' v3='1' p1='1'/>"
                    "<triangle v1='1' v2='0' v3='2' pid='2' p1='0'/>"
                    "<triangle v1='1' v2='2' v3='0' pid='5' p1='0'/>" END_FACE
                    "</object></resources><build><item objectid='7'/></build></model>");
    const model_mesh *mesh = &reader.model.meshes[0];
    static const float want[4][4] = {
        {1, 0, 0, 1}, {0, 1, 0, 0.50196081f}, {0, 0, 1, 1}, {0.25f, 0.75f, 0, 0.62647063f}};
    int seen = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 4; k++) {
            const vertex_extra *e = &mesh->extra[v];
            if (fabsf(e->r - want[k][0]) < 1e-6f && fabsf(e->g - want[k][1]) < 1e-6f &&
                fabsf(e->b - want[k][2]) < 1e-6f && fabsf(e->a - want[k][3]) < 1e-6f)
                seen |= 1 << k;
        }
    cr_assert_eq(seen, 15, "%d", seen);
    bool blends = false;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++)
        blends |= reader.model.materials[mesh->meshlets[i].material].alpha == MODEL_BLEND;
    cr_assert(blends);
}

/// Metal and gloss of base materials, which come after them.
Test(threemf, finishes_are_metalness_and_roughness)
{
    must_read_model("<model><resources>"
                    "<basematerials id='1' displaypropertiesid='3'>"
                    "<base name='r' displaycolor='#FF0000'/>"
                    "<base name='g' displaycolor='#00FF00'/></basematerials>"
                    "<basematerials id='2'>"
                    "<base name='b' displaycolor='#0000FF80' displaypropertiesid='4'/>"
                    "</basematerials>"
                    "<m:pbmetallicdisplayproperties id='3'>"
                    "<m:pbmetallic name='a' metallicness='1' roughness='0.25'/>"
                    "<m:pbmetallic name='b' metallicness='0.5' roughness='7'/>"
                    "</m:pbmetallicdisplayproperties>"
                    "<m:pbspeculardisplayproperties id='4'>"
                    "<m:pbspecular name='c' specularcolor='#FFFFFF' glossiness='0.75'/>"
                    "</m:pbspeculardisplayproperties>"
                    "<object id='7' pid='1' pindex='0'>" FACE "<triangle v1='0' v2='1' v3='2'/>"
                    "<triangle v1='0' v2='2' v3='1' p1='1'/>"
                    "<triangle v1='1' v2='0' v3='2' pid='2' p1='0'/>" END_FACE
                    "</object></resources><build><item objectid='7'/></build></model>");
    static const float want[3][2] = {{1.0f, 0.25f}, {0.5f, 1.0f}, {0.0f, 0.25f}};
    const model_mesh *mesh = &reader.model.meshes[0];
    int seen = 0;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++) {
        const model_material *m = &reader.model.materials[mesh->meshlets[i].material];
        for (int k = 0; k < 3; k++)
            if (fabsf(m->metallic - want[k][0]) < 1e-6f && fabsf(m->roughness - want[k][1]) < 1e-6f)
                seen |= 1 << k;
    }
    cr_assert_eq(seen, 7, "%d", seen);
}

Test(threemf, parts_of_the_production_extension)
{
    package p = {0};
    package_add_text(
        &p, "_rels/.rels",
        "<Relationships><Relationship Target='/3D/root.model' Id='r' "
        "Type='http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'/></Relationships>");
    package_add_text(&p, "3D/root.model",
                     "<model requiredextensions='p' xmlns:p='http://x/production/2015/06'><build>"
                     "<item objectid='4' p:path='/3D/other.model'/></build></model>");
    package_add_text(&p, "3D/other.model",
                     "<model unit='meter'><resources><object id='4'>" FACE
                     "<triangle v1='0' v2='1' v3='2'/>" END_FACE "</object></resources></model>");
    cr_assert_eq(finish(&p), ZT_OK, "%s", reader.err.message);
    cr_assert_eq(reader.model.triangle_count, 1);
    cr_assert_lt(fabsf(reader.model.nodes[0].rest.s[0] - 0.001f), 1e-9f, "the unit of the root");
}

#define T(attributes) "<triangle v1='0' v2='1' v3='2'" attributes "/>"
#define OBJECT(id, attributes, triangles)                                                          \
    "<object id='" id "' " attributes ">" FACE triangles END_FACE "</object>"
#define ITEM(id) "</resources><build><item objectid='" id "'/></build></model>"
#define PRUSA(first, last, type)                                                                   \
    "<config><object id='3'><volume firstid='" first "' lastid='" last "'><metadata type='volume'" \
    " key='volume_type' value='" type "'/><metadata key='modifier' value='1'/></volume></object>"  \
    "</config>"
#define BAMBU(object, part, kind)                                                                  \
    "<config><object id='" object "'><metadata key='name'/><part id='1' subtype='normal_part'/>"   \
    "<part id='" part "' subtype='" kind "'/></object></config>"

/// Three triangles in one object, or one and two in components, and what slicers say of them; or
/// what types and attributes say.
Test(threemf, volumes_that_are_no_parts_are_left_out)
{
    static const char *const models[] = {
        "<model><resources>" OBJECT("3", "", T("") T("") T("")) ITEM("3"),
        "<model><resources>" OBJECT("1", "", T("")) OBJECT(
            "2", "",
            T("") T(
                "")) "<object id='3'><components><component objectid='1'/><component objectid='2'/>"
                     "</components></object>" ITEM("3"),
        "<model><resources>" OBJECT("1", "type='support'", T("")) OBJECT(
            "2", "type='surface'",
            T("")) "<object id='3'><components><component objectid='1'/><component objectid='2'/>"
                   "</components></object>" ITEM("3"),
        "<model><resources>" OBJECT("3", "type='model'", T(" p:mmu_segmentation='4'")) ITEM("3"),
        "<model><resources><texture id='0' path='/a.png'/>" OBJECT("3", "", T("")) ITEM("3")};
    static const struct {
        int model;
        const char *config, *warning;
        uint64_t triangles;
    } rows[] = {{0, PRUSA("1", "2", "NegativeVolume"), "negative volumes are not cut out", 1},
                {0, PRUSA("1", "9", "ParameterModifier"), "modifier volumes", 1},
                {0, PRUSA("2", "2", ""), "modifier volumes", 2},
                {0, PRUSA("0", "1", "SupportBlocker"), "supports", 1},
                {0, PRUSA("2", "1", "SupportEnforcer"), "supports", 3},
                {0, "<config>", "Metadata/Slic3r_PE_model.config:1:9", 3},
                {1, BAMBU("3", "2", "negative_part"), "negative volumes", 1},
                {1, BAMBU("3", "1", "modifier_part"), "modifier volumes", 2},
                {1, BAMBU("4", "2", "support_enforcer"), "supports", 3},
                {1, BAMBU("3", "2", "normal_part"), NULL, 3},
                {1, "<p><metadata key='extruder' value='2'/></p>", "colours of filaments", 3},
                {2, "", "supports", 1},
                {3, "", "painted colours", 1},
                {4, "", "draft of 2013", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        package p = {0};
        package_add_text(&p, "3D/3dmodel.model", models[rows[i].model]);
        package_add_text(&p,
                         rows[i].model == 0 ? "Metadata/Slic3r_PE_model.config"
                                            : "Metadata/model_settings.config",
                         rows[i].config);
        cr_assert_eq(finish(&p), ZT_OK, "%zu: %s", i, reader.err.message);
        cr_expect(reader.model.triangle_count == rows[i].triangles &&
                      reader.warnings == (rows[i].warning != NULL) &&
                      (!rows[i].warning || strstr(reader.last_warning, rows[i].warning)),
                  "%zu: %s", i, reader.last_warning);
    }
}

/// Names are the same in any case, and with the slashes of Windows; texts may be UTF-16, also
/// without a mark. The picture, which is none, is looked at once.
Test(threemf, other_names_and_encodings)
{
    static const char root[] = "<model><resources><m:texture2d id='1' path='/3d/A.png'/>"
                               "<m:texture2d id='2' path='/3D/a.PNG'/></resources>"
                               "<build><item objectid='4' p:path='/3d/OTHER.Model'/>"
                               "<item objectid='4' p:path='/3D/other.model'/></build></model>";
    static const char other[] = "<?xml version='1.0' encoding='UTF-16'?><model><resources>" OBJECT(
        "4", "", T("")) "</resources></model>";
    for (size_t i = 0; i < 4; i++) {
        const size_t big = i % 2, from = i / 2 * 2;
        package p = {0};
        uint8_t wide[2 * sizeof other] = {big ? 0xfe : 0xff, big ? 0xff : 0xfe};
        for (size_t k = 0; k + 1 < sizeof other; k++)
            wide[2 + 2 * k + big] = (uint8_t)other[k];
        package_add_text(&p, "3D\\3DMODEL.MODEL", root);
        package_add(&p, "3d/Other.MODEL", wide + from, sizeof wide - from);
        package_add_text(&p, "3D/a.png", "no picture");
        package_finish(&p);
        cr_assert(threemf_format.recognise("x", (file_bytes){p.bytes, p.size}, 0));
        must_read_bytes(p.bytes, p.size);
        cr_expect(reader.model.triangle_count == 1 && reader.model.mesh_count == 1 &&
                  reader.warnings == 1);
    }
}

/// With the picture of a package that cannot be read, or is empty.
static zt_result read_picture(const char *model)
{
    package p = {0};
    OWN_IMAGE image = {0};
    uint8_t *png;
    size_t size;
    zt_encode_def encode = zt_default_encode_def();
    cr_assert_eq(zt_image_init(&image, 6, 4, NULL, NULL), ZT_OK);
    cr_assert_eq(zt_image_encode(&image, &encode, &png, &size, NULL), ZT_OK);
    static char links[90000]; // a letter of the name takes 80,000 bytes
    snprintf(links, sizeof links,
             "<Relationships><Relationship Target='/Metadata/pl&#%080000d;te.png' Id='r' Type="
             "'http://x/relationships/metadata/thumbnail'/></Relationships>",
             'a');
    package_add_text(&p, "_rels/.rels", links);
    package_add_text(&p, "3D/3dmodel.model", model);
    package_add(&p, "Metadata/plate.png", png, size);
    zt_free(png);
    return finish(&p);
}

Test(threemf, the_picture_of_the_package_is_a_fallback)
{
    static const char face[] =
        "<model><resources><object id='2'>" FACE "<triangle v1='0' v2='1' v3='2'/>" END_FACE
        "</object></resources><build><item objectid='2'/></build></model>";
    const zt_model *m = &reader.model;
    cr_assert_eq(read_picture("<model><build/></model>"), ZT_OK);
    cr_assert(m->mesh_count == 0 && !m->is_picture, "nobody has asked for it");
    cr_assert_eq(read_picture("<model><resources>"), ZT_ERR_FORMAT);
    reader.package_picture = true;
    for (int kind = 0; kind < 3; kind++) {
        const char *const models[3] = {
            "<model><build/></model>", "<model><resources>",
            "<model requiredextensions='q' xmlns:q='http://q/'><build/></model>"};
        cr_assert_eq(read_picture(models[kind]), ZT_OK, "%s", reader.err.message);
        cr_assert(m->is_picture && m->triangle_count == 2 && reader.warnings == 1);
        cr_assert(strstr(reader.last_warning, "the picture of the package is shown"));
        const model_material *material = &m->materials[m->meshes[0].meshlets[0].material];
        cr_assert(material->unlit && material->base_map.texture == 0);
        const vertex_position *low = m->meshes[0].position, *high = low;
        for (uint32_t v = 0; v < m->meshes[0].vertex_count; v++) {
            const vertex_position *at = &m->meshes[0].position[v];
            low = at->x + at->z < low->x + low->z ? at : low;
            high = at->x + at->z > high->x + high->z ? at : high;
        }
        cr_assert(high->x - low->x == 150.0f && high->z - low->z == 100.0f);
    }
    cr_assert_eq(read_picture(face), ZT_OK);
    cr_assert(!m->is_picture && m->triangle_count == 1, "there is a model");
    cr_assert_eq(read_model("<model><resources>"), ZT_ERR_FORMAT, "there is no picture");
    // Where it takes more memory to find the picture than there is, the package is not at fault.
    for (uint64_t limit = 0; limit < (1 << 20); limit += 4096) {
        reader.memory.limit = limit;
        const zt_result r = read_picture("<model><resources>");
        cr_assert(r == ZT_OK || r == ZT_ERR_LIMIT, "%d with %u bytes", (int)r, (unsigned)limit);
    }
    reader.package_picture = false;
}

Test(threemf, mistakes)
{
    static const struct {
        const char *model;
        zt_result code;
        const char *part;
    } cases[] = {
        {"<model requiredextensions='q' xmlns:q='http://a/b'/>", ZT_ERR_UNSUPPORTED,
         "requires 'http://a/b'"},
        {"<model><build><item objectid='4'/></build></model>", ZT_ERR_FORMAT, "no object 4"},
        {"<!DOCTYPE a [<!ENTITY b 'c'>]><model/>", ZT_ERR_FORMAT, "document type"},
        {"<model><resources></model>", ZT_ERR_FORMAT, "a.3mf:3D/3dmodel.model:1:19: the end"},
        {"<other/>", ZT_ERR_FORMAT, "expected 'model'"},
        {"<model><resources><object id='2'>" FACE "<triangle v1='0' v2='1' v3='3'/>" END_FACE
         "</object></resources><build><item objectid='2'/></build></model>",
         ZT_ERR_FORMAT, "triangle 0 of object 2"},
        {"<model><resources><object id='2'><components><component objectid='2'/></components>"
         "</object></resources><build><item objectid='2'/></build></model>",
         ZT_ERR_LIMIT, "in a circle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        package p = {0};
        package_add_text(&p, "3D/3dmodel.model", cases[i].model);
        package_finish(&p);
        must_fail_bytes(p.bytes, p.size, cases[i].code, cases[i].part);
    }
    must_fail("PK\3\4 .model", "it has no end");
    package p = {0};
    package_add_text(&p, "3D/3dmodel.model", "<model/>");
    package_add_text(&p, "_rels/.rels",
                     "<Relationships><Relationship Target='/S/k.xml' Id='r' Type='http://schemas."
                     "microsoft.com/3dmanufacturing/2019/04/keystore'/></Relationships>");
    package_finish(&p);
    must_fail_bytes(p.bytes, p.size, ZT_ERR_UNSUPPORTED, "the package is encrypted");
    p = (package){0};
    package_add_text(&p, "3D/3dmodel.model", "<model/>");
    p.bytes[p.size - 1] = ' ';
    package_finish(&p);
    must_fail_bytes(p.bytes, p.size, ZT_ERR_FORMAT, "CRC error");
}

Test(threemf, packages_that_end_early)
{
    package p = {0};
    package_add_text(&p, "3D/3dmodel.model", "<model><build/></model>");
    cr_assert_eq(finish(&p), ZT_OK, "%s", reader.err.message);
    for (size_t size = 0; size < p.size; size++)
        cr_assert_neq(reader_read(p.bytes, size), ZT_OK);
    for (size_t at = 0; at < p.size; at++) {
        package other = p;
        other.bytes[at] ^= 0x5a;
        reader_read(other.bytes, other.size);
    }
}

Test(threemf, values_of_xml_have_references)
{
    OWN_MEMORY(a, 0);
    static const struct {
        const char *from, *to;
    } cases[] = {{"a &amp; b", "a & b"},
                 {"&lt;&gt;&quot;&apos;", "<>\"'"},
                 {"&#65;&#x42;", "AB"},
                 {"&#xe4;", "\xc3\xa4"},
                 {"&other;", "&other;"},
                 {"&#xd800;", "&#xd800;"},
                 {"&", "&"},
                 {"&#x110000;", "&#x110000;"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const xml_slice s = {cases[i].from, cases[i].from + strlen(cases[i].from)};
        cr_assert_str_eq(xml_text(&a, &s), cases[i].to);
    }
}
