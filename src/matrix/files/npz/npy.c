#include "matrix/files/npz/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "\x93NUMPY"

/* Return the text after 'key': in the dictionary, or NULL. */
static const char *value_of(const char *dictionary, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(dictionary, quoted);
    if (!at) return NULL;
    at += strlen(quoted);
    at += strspn(at, " ");
    if (*at++ != ':') return NULL;
    return at + strspn(at, " ");
}

/* Read the type of the elements, such as '<f8'. */
static const char *read_type(const char *text, struct npy *npy)
{
    static const struct {
        char letters[3];
        enum number type;
    } types[] = {{"b1", NUMBER_BOOL}, {"i1", NUMBER_I8},  {"u1", NUMBER_U8},  {"i2", NUMBER_I16},
                 {"u2", NUMBER_U16},  {"i4", NUMBER_I32}, {"u4", NUMBER_U32}, {"i8", NUMBER_I64},
                 {"u8", NUMBER_U64},  {"f4", NUMBER_F32}, {"f8", NUMBER_F64}, {"c8", NUMBER_C64}};
    if (!text || *text++ != '\'') return "has elements that are not numbers";
    char order = *text++;
    if (!order || !strchr("<>|=", order)) return "has elements that are not numbers";
    npy->big = order == '>' || (order == '=' && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    if (*text == 'S' || *text == 'U') {
        char *end;
        errno = 0;
        npy->text = true;
        npy->width = *text == 'S' ? 1 : 4;
        npy->characters = strtoll(text + 1, &end, 10);
        return errno || end == text + 1 || *end != '\'' || npy->characters < 0 ? "has an invalid type" : NULL;
    }
    if (strncmp(text, "c16'", 4) == 0) {
        npy->type = NUMBER_C128;
        return NULL;
    }
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strncmp(text, types[k].letters, 2) == 0 && text[2] == '\'') {
            npy->type = types[k].type;
            return NULL;
        }
    return "has elements of a type that is not read (objects, half or quadruple precision)";
}

static const char *read_shape(const char *text, struct npy *npy)
{
    npy->count = 1;
    if (!text || *text++ != '(') return "has no shape";
    for (text += strspn(text, " "); *text != ')'; text += strspn(text, ", ")) {
        char *end;
        errno = 0;
        if (npy->dimensions == NPY_DIMENSIONS || !isdigit((unsigned char)*text))
            return "has a shape that is not read";
        int64_t size = strtoll(text, &end, 10);
        if (errno || __builtin_mul_overflow(npy->count, size, &npy->count))
            return "has a shape that is too large";
        npy->shape[npy->dimensions++] = size;
        text = end;
    }
    return NULL;
}

const char *npy_read(const char *bytes, int64_t count, struct npy *npy)
{
    char dictionary[NPY_HEADER_MAX + 1];
    *npy = (struct npy){0};
    if (count < 12 || memcmp(bytes, MAGIC, 6) != 0) return "is not an array of NumPy";
    int version = bytes[6];
    if (version < 1 || version > 3) return "is of an unknown version of NumPy's format";
    int64_t before = version == 1 ? 10 : 12, length = 0;
    for (int64_t b = before - 1; b >= 8; b--)
        length = length << 8 | (unsigned char)bytes[b];
    if (length > NPY_HEADER_MAX || before + length > count)
        return "has a header that is too long or cut short";
    memcpy(dictionary, bytes + before, (size_t)length);
    dictionary[length] = 0;
    npy->bytes = before + length;
    const char *order = value_of(dictionary, "fortran_order");
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) return "has no order";
    npy->fortran = *order == 'T';
    const char *why = read_type(value_of(dictionary, "descr"), npy);
    return why ? why : read_shape(value_of(dictionary, "shape"), npy);
}
