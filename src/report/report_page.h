// SPDX-License-Identifier: MIT
/// page.css and page.js as the build has put them into the program.
#pragma once

#include <stddef.h>

extern const unsigned char report_page_css[], report_page_js[];
extern const size_t report_page_css_size, report_page_js_size;
