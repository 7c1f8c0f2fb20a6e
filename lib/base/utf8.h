/* utf8.h: the one rule of valid UTF-8 that reading and writing JSON share. */
#ifndef CSZI_BASE_UTF8_H
#define CSZI_BASE_UTF8_H

#include <stddef.h>

/* Length of the character at the start of text: 1 to 4, or 0 when the bytes are no valid UTF-8
 * (overlong forms, surrogates and what is beyond U+10FFFF included). The Unicode Standard, table
 * 3-7. */
static inline size_t cszi_utf8_length(const char *text, size_t length)
{
    unsigned first = length > 0 ? (unsigned char)text[0] : 0xff;
    unsigned low = 0x80; /* bounds of the second byte */
    unsigned high = 0xbf;
    size_t need;
    size_t i;

    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    need = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first == 0xe0) {
        low = 0xa0;
    } else if (first == 0xed) {
        high = 0x9f;
    } else if (first == 0xf0) {
        low = 0x90;
    } else if (first == 0xf4) {
        high = 0x8f;
    }
    for (i = 1; i < need; i++) {
        unsigned byte = i < length ? (unsigned char)text[i] : 0;

        if (byte < low || byte > high) {
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return need;
}

#endif
