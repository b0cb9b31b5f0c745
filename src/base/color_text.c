// SPDX-License-Identifier: MIT
/// The names are those of CSS Color Module Level 4, section 6.1.
#include "base/color_text.h"

#include "base/nearest_name.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// clang-format off
static const struct {
    const char *name;
    uint32_t rgb; ///< sRGB, red highest
} colors[] = {
    {"aliceblue", 0xf0f8ff}, {"antiquewhite", 0xfaebd7}, {"aqua", 0x00ffff},
    {"aquamarine", 0x7fffd4}, {"azure", 0xf0ffff}, {"beige", 0xf5f5dc}, {"bisque", 0xffe4c4},
    {"black", 0x000000}, {"blanchedalmond", 0xffebcd}, {"blue", 0x0000ff}, {"blueviolet", 0x8a2be2},
    {"brown", 0xa52a2a}, {"burlywood", 0xdeb887}, {"cadetblue", 0x5f9ea0}, {"chartreuse", 0x7fff00},
    {"chocolate", 0xd2691e}, {"coral", 0xff7f50}, {"cornflowerblue", 0x6495ed},
    {"cornsilk", 0xfff8dc}, {"crimson", 0xdc143c}, {"cyan", 0x00ffff}, {"darkblue", 0x00008b},
    {"darkcyan", 0x008b8b}, {"darkgoldenrod", 0xb8860b}, {"darkgray", 0xa9a9a9},
    {"darkgreen", 0x006400}, {"darkgrey", 0xa9a9a9}, {"darkkhaki", 0xbdb76b},
    {"darkmagenta", 0x8b008b}, {"darkolivegreen", 0x556b2f}, {"darkorange", 0xff8c00},
    {"darkorchid", 0x9932cc}, {"darkred", 0x8b0000}, {"darksalmon", 0xe9967a},
    {"darkseagreen", 0x8fbc8f}, {"darkslateblue", 0x483d8b}, {"darkslategray", 0x2f4f4f},
    {"darkslategrey", 0x2f4f4f}, {"darkturquoise", 0x00ced1}, {"darkviolet", 0x9400d3},
    {"deeppink", 0xff1493}, {"deepskyblue", 0x00bfff}, {"dimgray", 0x696969}, {"dimgrey", 0x696969},
    {"dodgerblue", 0x1e90ff}, {"firebrick", 0xb22222}, {"floralwhite", 0xfffaf0},
    {"forestgreen", 0x228b22}, {"fuchsia", 0xff00ff}, {"gainsboro", 0xdcdcdc},
    {"ghostwhite", 0xf8f8ff}, {"gold", 0xffd700}, {"goldenrod", 0xdaa520}, {"gray", 0x808080},
    {"green", 0x008000}, {"greenyellow", 0xadff2f}, {"grey", 0x808080}, {"honeydew", 0xf0fff0},
    {"hotpink", 0xff69b4}, {"indianred", 0xcd5c5c}, {"indigo", 0x4b0082}, {"ivory", 0xfffff0},
    {"khaki", 0xf0e68c}, {"lavender", 0xe6e6fa}, {"lavenderblush", 0xfff0f5},
    {"lawngreen", 0x7cfc00}, {"lemonchiffon", 0xfffacd}, {"lightblue", 0xadd8e6},
    {"lightcoral", 0xf08080}, {"lightcyan", 0xe0ffff}, {"lightgoldenrodyellow", 0xfafad2},
    {"lightgray", 0xd3d3d3}, {"lightgreen", 0x90ee90}, {"lightgrey", 0xd3d3d3},
    {"lightpink", 0xffb6c1}, {"lightsalmon", 0xffa07a}, {"lightseagreen", 0x20b2aa},
    {"lightskyblue", 0x87cefa}, {"lightslategray", 0x778899}, {"lightslategrey", 0x778899},
    {"lightsteelblue", 0xb0c4de}, {"lightyellow", 0xffffe0}, {"lime", 0x00ff00},
    {"limegreen", 0x32cd32}, {"linen", 0xfaf0e6}, {"magenta", 0xff00ff}, {"maroon", 0x800000},
    {"mediumaquamarine", 0x66cdaa}, {"mediumblue", 0x0000cd}, {"mediumorchid", 0xba55d3},
    {"mediumpurple", 0x9370db}, {"mediumseagreen", 0x3cb371}, {"mediumslateblue", 0x7b68ee},
    {"mediumspringgreen", 0x00fa9a}, {"mediumturquoise", 0x48d1cc}, {"mediumvioletred", 0xc71585},
    {"midnightblue", 0x191970}, {"mintcream", 0xf5fffa}, {"mistyrose", 0xffe4e1},
    {"moccasin", 0xffe4b5}, {"navajowhite", 0xffdead}, {"navy", 0x000080}, {"oldlace", 0xfdf5e6},
    {"olive", 0x808000}, {"olivedrab", 0x6b8e23}, {"orange", 0xffa500}, {"orangered", 0xff4500},
    {"orchid", 0xda70d6}, {"palegoldenrod", 0xeee8aa}, {"palegreen", 0x98fb98},
    {"paleturquoise", 0xafeeee}, {"palevioletred", 0xdb7093}, {"papayawhip", 0xffefd5},
    {"peachpuff", 0xffdab9}, {"peru", 0xcd853f}, {"pink", 0xffc0cb}, {"plum", 0xdda0dd},
    {"powderblue", 0xb0e0e6}, {"purple", 0x800080}, {"rebeccapurple", 0x663399}, {"red", 0xff0000},
    {"rosybrown", 0xbc8f8f}, {"royalblue", 0x4169e1}, {"saddlebrown", 0x8b4513},
    {"salmon", 0xfa8072}, {"sandybrown", 0xf4a460}, {"seagreen", 0x2e8b57}, {"seashell", 0xfff5ee},
    {"sienna", 0xa0522d}, {"silver", 0xc0c0c0}, {"skyblue", 0x87ceeb}, {"slateblue", 0x6a5acd},
    {"slategray", 0x708090}, {"slategrey", 0x708090}, {"snow", 0xfffafa}, {"springgreen", 0x00ff7f},
    {"steelblue", 0x4682b4}, {"tan", 0xd2b48c}, {"teal", 0x008080}, {"thistle", 0xd8bfd8},
    {"tomato", 0xff6347}, {"turquoise", 0x40e0d0}, {"violet", 0xee82ee}, {"wheat", 0xf5deb3},
    {"white", 0xffffff}, {"whitesmoke", 0xf5f5f5}, {"yellow", 0xffff00}, {"yellowgreen", 0x9acd32},
};
// clang-format on

enum { COLOR_COUNT = sizeof colors / sizeof *colors };

/// a^(1/5) for a in [0.004, 1], by Newton's method from above: r' = (4 r + a / r^4) / 5. Ten steps
/// reach full precision; their number is fixed, so that no comparison affects the result.
static double fifth_root(double a)
{
    double r = 1.0;
    for (int step = 0; step < 12; step++) {
        const double r2 = r * r;
        r = (4.0 * r + a / (r2 * r2)) / 5.0;
    }
    return r;
}

double srgb_decode(double encoded)
{
    if (!(encoded > 0.0)) // also NaN
        return 0.0;
    if (encoded >= 1.0)
        return 1.0;
    if (encoded <= 0.04045)
        return encoded / 12.92;
    const double x = (encoded + 0.055) / 1.055;
    return x * x * fifth_root(x * x); // x^2.4
}

double srgb_power(double x)
{
    const double root = sqrt(sqrt(x)); // the result is the fifth power of its cube root
    double r = 0.4 + 0.6 * root;
    for (int step = 0; step < 5; step++)
        r = (2.0 * r + root / (r * r)) / 3.0;
    return r * r * r * r * r;
}

double srgb_encode(double linear)
{
    if (!(linear > 0.0)) // also NaN
        return 0.0;
    if (linear >= 1.0)
        return 1.0;
    if (linear <= 0.0031308)
        return linear * 12.92;
    return 1.055 * srgb_power(linear) - 0.055;
}

static bool is_name(const char *text, const char *name)
{
    while (*text && ascii_lower(*text) == *name) {
        text++;
        name++;
    }
    return *text == *name;
}

/// RRGGBB, or RGB whose digits count twice.
static bool read_hex(const char *text, uint32_t *out)
{
    const size_t length = strlen(text);
    uint32_t rgb = 0;
    if (length != 6 && length != 3)
        return false;
    for (size_t i = 0; i < length; i++) {
        const int digit = ascii_hex_digit(text[i]);
        if (digit < 0)
            return false;
        rgb = length == 3 ? rgb << 8 | (uint32_t)digit * 17 : rgb << 4 | (uint32_t)digit;
    }
    *out = rgb;
    return true;
}

bool color_from_text(const char *text, double out[3])
{
    uint32_t rgb = 0;
    bool found = read_hex(text + (*text == '#'), &rgb);
    for (size_t i = 0; i < COLOR_COUNT && !found; i++) {
        found = is_name(text, colors[i].name);
        rgb = colors[i].rgb;
    }
    if (found)
        for (int i = 0; i < 3; i++)
            out[i] = srgb_decode((double)(rgb >> (16 - 8 * i) & 255) / 255.0);
    return found;
}

const char *color_nearest_name(const char *text)
{
    const char *names[COLOR_COUNT];
    for (size_t i = 0; i < COLOR_COUNT; i++)
        names[i] = colors[i].name;
    return nearest_name(text, names, COLOR_COUNT);
}

const char *color_name_at(size_t index) { return index < COLOR_COUNT ? colors[index].name : NULL; }
