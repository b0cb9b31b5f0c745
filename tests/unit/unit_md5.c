// SPDX-License-Identifier: MIT
/// MD5: the test suite of RFC 1321, appendix 5, and lengths around those of a block.
#include "testing.h"
#include "thumbnail/md5.h"

Test(md5, has_the_digests_of_the_rfc)
{
    static const char *const cases[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"a", "0cc175b9c0f1b6a831c399e269772661"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
         "d174ab98d277d9f5a5611c2c9f419d9f"},
        {"1234567890123456789012345678901234567890123456789012345678901234567890123456789"
         "0",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    char text[MD5_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        md5_text(cases[i][0], strlen(cases[i][0]), text);
        cr_assert_str_eq(text, cases[i][1]);
    }
}

Test(md5, pads_blocks)
{
    // By md5sum(1), of so many letters x.
    static const struct {
        size_t length;
        const char *digest;
    } cases[] = {{55, "04364420e25c512fd958a70738aa8f72"},
                 {56, "668a72d5ba17f08e62dabcafad6db14b"},
                 {64, "c1bb4f81d892b2d57947682aeb252456"}};
    char text[MD5_TEXT_SIZE], letters[64];
    memset(letters, 'x', sizeof letters);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        md5_text(letters, cases[i].length, text);
        cr_assert_str_eq(text, cases[i].digest);
    }
}
