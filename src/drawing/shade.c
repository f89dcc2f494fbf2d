#include "drawing/shade.h"

#include <math.h>

#define OWNER_LETTERS 26

#define MIN_OCTAVES 4

struct shade shade_scale(double min, double max)
{
    if (!(max > 0)) return (struct shade){0};
    if (!(min > 0) || min > max) min = max;
    double high = ceil(log2(max) - 1e-9), low = floor(log2(min) + 1e-9);
    if (high - low < MIN_OCTAVES) low = high - MIN_OCTAVES;
    return (struct shade){exp2(low), exp2(high), log(exp2(low)),
                          (SHADE_LEVELS - 1) / ((high - low) * log(2))};
}

int shade_level(const struct shade *shade, double density)
{
    if (!(density > 0) || !(shade->high > shade->low)) return -1;
    double level = (log(density) - shade->log_low) * shade->levels;
    return level <= 0 ? 0 : level >= SHADE_LEVELS - 1 ? SHADE_LEVELS - 1 : (int)(level + 0.5);
}

double shade_density(const struct shade *shade, int level)
{
    if (!(shade->high > shade->low)) return 0;
    return shade->low * pow(shade->high / shade->low, (double)level / (SHADE_LEVELS - 1));
}

uint32_t shade_character(int level, bool ascii)
{
    static const char ink[] = ".:-=+*#%@";
    static const uint32_t blocks[] = {0xb7, 0x2591, 0x2592, 0x2593, 0x2588}; /* dot, three shades, full */
    if (level < 0) return ' ';
    if (level >= SHADE_LEVELS) level = SHADE_LEVELS - 1;
    if (ascii) return (unsigned char)ink[level * 9 / SHADE_LEVELS];
    return blocks[level * 5 / SHADE_LEVELS];
}

char *owner_letters(int32_t mark, char out[3])
{
    const char first_letter = owner_is_remote(mark) ? 'a' : 'A';
    out[0] = out[1] = mark == OWNER_NONE ? ' ' : '.';
    out[2] = 0;
    if (mark < 0) return out;
    const int32_t part = owner_part(mark) % (OWNER_LETTERS * OWNER_LETTERS), further = part - OWNER_LETTERS;
    int32_t first = part, second = part;
    if (further >= 0) {
        first = further / (OWNER_LETTERS - 1);
        second = further % (OWNER_LETTERS - 1);
        if (second >= first) second++; /* names of equal letters are taken by the first parts */
    }
    out[0] = (char)(first_letter + first);
    out[1] = (char)(first_letter + second);
    return out;
}
