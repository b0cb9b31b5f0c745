// SPDX-License-Identifier: MIT
/// Elements of an XML text with their attributes, one after the other. Names are without their
/// prefixes. Text between elements, comments and instructions are passed over; a DTD is refused, so
/// that there are no entities but the five of XML and characters by number.
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/text_scan.h"

enum { XML_DEPTH = 64, XML_ATTRIBUTES = 64 };

typedef struct xml_slice {
    const char *begin, *end;
} xml_slice;

typedef struct xml_attribute {
    xml_slice prefix, name, value; ///< value: as it stands
} xml_attribute;

typedef enum xml_event { XML_OPEN, XML_CLOSE, XML_END } xml_event;

typedef struct xml_reader {
    text_scan text;
    xml_slice name;           ///< of the element that opens or closes
    uint32_t attribute_count; ///< of one that opens; further ones are passed over
    xml_attribute attribute[XML_ATTRIBUTES];
    const char *element; ///< where it begins
    bool closes;         ///< it is empty: its end comes next
    uint32_t depth;
    xml_slice open[XML_DEPTH];
} xml_reader;

/// Makes UTF-8 of UTF-16, in `a`. Other bytes stay as they are.
zt_result xml_decode(arena *a, file_bytes *bytes, zt_error *err);
/// `path`: for messages.
void xml_begin(xml_reader *x, const char *path, const char *begin, size_t size, zt_error *err);
zt_result xml_next(xml_reader *x, xml_event *out);
bool xml_is(xml_slice s, const char *text);
/// An attribute's value, or NULL.
const xml_slice *xml_attribute_of(const xml_reader *x, const char *name);
/// A value with its references resolved, in `a`; "" for NULL. NULL: no memory.
const char *xml_text(arena *a, const xml_slice *value);
/// The number of an attribute; false: it is not there or none.
bool xml_number(const xml_reader *x, const char *name, double *out);
/// A whole number in [0, UINT32_MAX); UINT32_MAX: it is not there or none.
uint32_t xml_index(const xml_reader *x, const char *name);
/// Fails at the element.
#define xml_fail(x, code, ...) text_scan_fail(&(x)->text, (code), (x)->element, __VA_ARGS__)
