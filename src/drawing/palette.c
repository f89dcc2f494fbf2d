#include "drawing/palette.h"

/* Densities are shown by viridis (van der Walt and Smith, 2015), whose lightness rises evenly, also for
 * colour-blind people. Its darkest colours are omitted, so that single entries are visible on black; it ends
 * in yellow rather than white, so that full cells are visible on white. */
static const int density_direct[DENSITY_LEVELS] = {
    0x3e4c8a, 0x37588c, 0x31648d, 0x2c708e, 0x277b8e, 0x23878e, 0x1f938b, 0x1f9f87,
    0x28ab81, 0x3ab677, 0x53c268, 0x70cc58, 0x91d543, 0xb4dd2c, 0xd8e219, 0xfde725,
};

/* The same through the colour cube of 6 x 6 x 6, with lightness from 40 to 97. */
static const int density_256[DENSITY_LEVELS] = {
    25, 26, 32, 31, 38, 37, 36, 43, 42, 41, 77, 113, 148, 184, 220, 226,
};

/* On a light background the colours run the other way: from a green visible on white to viridis' darkest
 * colour, with lightness from 76 to 15, and through the cube from 79 to 21. */
static const int density_light_direct[DENSITY_LEVELS] = {
    0x7ad151, 0x5ec962, 0x46c06f, 0x32b67a, 0x25ab82, 0x1fa088, 0x1f958b, 0x238a8d,
    0x287d8e, 0x2e6f8e, 0x34618d, 0x3b528b, 0x424086, 0x472c7a, 0x481769, 0x440154,
};

static const int density_light_256[DENSITY_LEVELS] = {
    113, 78, 77, 72, 37, 36, 67, 31, 30, 61, 25, 24, 56, 55, 54, 53,
};

/* The same for highlighted entries: magenta, with lightness from 40 to 92, and through the cube. */
static const int marked_direct[DENSITY_LEVELS] = {
    0x8c3088, 0x943590, 0x9c3a97, 0xa4409f, 0xac46a6, 0xb44dae, 0xbb55b5, 0xc25ebc,
    0xc967c2, 0xd072c9, 0xd77ecf, 0xde8bd5, 0xe499dc, 0xeaa8e2, 0xf0b9e8, 0xf6caef,
};

static const int marked_256[DENSITY_LEVELS] = {
    90, 91, 127, 127, 133, 133, 134, 170, 170, 171, 176, 177, 213, 213, 219, 225,
};

/* On a light background they end at medium lightness, which distinguishes them from the darkest densities:
 * violet, with lightness from 72 to 44, and through the cube from 76 to 42. */
static const int marked_light_direct[DENSITY_LEVELS] = {
    0xde98ec, 0xda8fea, 0xd787e9, 0xd37ee7, 0xd076e6, 0xcc6de4, 0xc865e2, 0xc55ce1,
    0xc154df, 0xbe4bde, 0xba43dc, 0xb63ada, 0xb332d9, 0xaf29d7, 0xac21d6, 0xa818d4,
};

static const int marked_light_256[DENSITY_LEVELS] = {
    183, 183, 177, 177, 177, 171, 171, 171, 170, 170, 165, 165, 164, 164, 128, 128,
};

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, DEFAULT = -1 };

/* The backgrounds of text: that of the terminal, dark or light, or COLOUR_BAR, which is dark on every
 * terminal. */
enum ground { DARK, LIGHT, BAR, GROUNDS };

/* Parts of a matrix have hues that colour-blind people can distinguish (after Okabe and Ito, 2008), as
 * mid-tones; entries outside parts are grey. The last of several colours is light on dark and dark on
 * light. */
static const int part_direct[GROUNDS][PART_COLOURS] = {
    [DARK] = {0xe69f00, 0x3fa7e0, 0x1fa37a, 0xe0523a, 0xcc79a7, 0x7a6fd0, 0x707070, 0xd0d0d0},
    [LIGHT] = {0xc98a00, 0x2f8fcc, 0x12876a, 0xd0472f, 0xb8609a, 0x6a5fc4, 0xa0a0a0, 0x303030},
    [BAR] = {0xe69f00, 0x3fa7e0, 0x1fa37a, 0xf08468, 0xcc79a7, 0xa9a0ee, 0x9aa0aa, 0xd0d0d0},
};
static const int part_256[GROUNDS][PART_COLOURS] = {
    [DARK] = {172, 74, 36, 167, 175, 98, 242, 252},
    [LIGHT] = {172, 32, 29, 160, 133, 62, 247, 236},
    [BAR] = {172, 74, 36, 209, 175, 147, 247, 252},
};
static const int part_8[GROUNDS][PART_COLOURS] = {
    [DARK] = {YELLOW, CYAN, GREEN, RED, MAGENTA, BLUE, DEFAULT, DEFAULT},
    [LIGHT] = {YELLOW, CYAN, GREEN, RED, MAGENTA, BLUE, DEFAULT, DEFAULT},
    [BAR] = {WHITE, WHITE, WHITE, WHITE, WHITE, WHITE, WHITE, WHITE},
};

/* Owners have the hues of parts; remote entries have half the contrast to the background. */
static const int remote_direct[2][OWNER_COLOURS] = {
    {0x735000, 0x205470, 0x10523d, 0x70291d, 0x663c54, 0x3d3868},
    {0xe8ce94, 0xa8d0ea, 0x9bcdc0, 0xebb2a8, 0xe1bcd5, 0xc0bce6},
};
static const int remote_256[2][OWNER_COLOURS] = {
    {94, 24, 22, 88, 96, 54},
    {222, 153, 115, 217, 182, 146},
};

/* The number of a colour in each palette. */
struct hue {
    int ansi, cube, direct;
};

/* The other colours, legible on each ground. */
static const struct {
    struct hue on[GROUNDS];
    unsigned plain; /* the attributes of text of this meaning without colours */
} colours[COLOUR_DENSITY] = {
    [COLOUR_TEXT] = {{{DEFAULT, DEFAULT, DEFAULT}, {DEFAULT, DEFAULT, DEFAULT}, {WHITE, 252, 0xd8dbe0}}, 0},
    [COLOUR_DIM] = {{{DEFAULT, 244, 0x808080}, {DEFAULT, 242, 0x6a717a}, {WHITE, 247, 0x9aa0aa}}, LOOK_DIM},
    [COLOUR_TITLE] = {{{DEFAULT, DEFAULT, DEFAULT}, {DEFAULT, DEFAULT, DEFAULT}, {WHITE, 231, 0xffffff}},
                      LOOK_BOLD},
    [COLOUR_ACCENT] = {{{CYAN, 37, 0x18a4b0}, {BLUE, 30, 0x138089}, {YELLOW, 80, 0x5fd7d7}}, LOOK_BOLD},
    [COLOUR_GOOD] = {{{GREEN, 34, 0x1c9e3c}, {GREEN, 28, 0x188633}, {WHITE, 77, 0x4fc46c}}, 0},
    [COLOUR_WARN] = {{{YELLOW, 172, 0xd18616}, {MAGENTA, 130, 0xa16711}, {YELLOW, 172, 0xd18616}}, LOOK_BOLD},
    [COLOUR_BAD] = {{{RED, 167, 0xd9534f}, {RED, 160, 0xc54c48}, {WHITE, 210, 0xf08a86}}, LOOK_BOLD},
    [COLOUR_ROWS] = {{{CYAN, 32, 0x2b8cd6}, {BLUE, 25, 0x2578b8}, {WHITE, 75, 0x62b1f0}}, 0},
    [COLOUR_COLS] = {{{YELLOW, 208, 0xe07b1a}, {RED, 166, 0xaf6014}, {WHITE, 208, 0xe07b1a}}, 0},
    [COLOUR_CURSOR] = {{{RED, 198, 0xf0287f}, {RED, 161, 0xda2474}, {WHITE, 205, 0xff6fae}}, LOOK_REVERSE},
    [COLOUR_MARK] = {{{MAGENTA, 170, 0xcf5fc8}, {MAGENTA, 133, 0xae50a8}, {WHITE, 176, 0xe08ada}}, LOOK_BOLD},
    [COLOUR_BAR] = {{{BLUE, 237, 0x333a44}, {BLUE, 237, 0x333a44}, {BLUE, 237, 0x333a44}}, LOOK_REVERSE},
};

/* Return the number of a shade in a palette. Shades have no colours of their own for COLOUR_BAR, and use
 * those for a dark ground. */
static int shade_number(enum palette palette, enum ground ground, enum colour colour)
{
    static const int density_8[2][4] = {{BLUE, CYAN, GREEN, YELLOW}, {CYAN, GREEN, BLUE, BLACK}};
    const bool light = ground == LIGHT, marked = colour >= COLOUR_MARKED;
    const int level = (int)colour - (int)(marked ? COLOUR_MARKED : COLOUR_DENSITY);
    switch (palette) {
    case PALETTE_DIRECT:
        if (marked) return (light ? marked_light_direct : marked_direct)[level];
        return (light ? density_light_direct : density_direct)[level];
    case PALETTE_256:
        if (marked) return (light ? marked_light_256 : marked_256)[level];
        return (light ? density_light_256 : density_256)[level];
    default:
        if (ground == BAR) return WHITE;
        return marked ? MAGENTA : density_8[light][level / 4];
    }
}

/* Return the number that a colour has in a palette on a ground. */
static int number(enum palette palette, enum ground ground, enum colour colour)
{
    if (colour >= COLOUR_REMOTE && palette != PALETTE_8)
        return (palette == PALETTE_DIRECT ? remote_direct
                                          : remote_256)[ground == LIGHT][(int)colour - COLOUR_REMOTE];
    if (colour >= COLOUR_OWNER) /* eight colours have no paler ones; characters distinguish them */
        return number(palette, ground,
                      (enum colour)((int)COLOUR_PART + ((int)colour - COLOUR_OWNER) % OWNER_COLOURS));
    if (colour >= COLOUR_PART) {
        const int part = (int)colour - COLOUR_PART;
        if (palette == PALETTE_DIRECT) return part_direct[ground][part];
        return palette == PALETTE_256 ? part_256[ground][part] : part_8[ground][part];
    }
    if (colour >= COLOUR_DENSITY) return shade_number(palette, ground, colour);
    const struct hue *hue = &colours[colour].on[ground];
    if (palette == PALETTE_DIRECT) return hue->direct;
    return palette == PALETTE_256 ? hue->cube : hue->ansi;
}

/* The look of a cell without colours. */
static struct look plain(enum colour foreground, enum colour background, unsigned attributes)
{
    unsigned own = foreground < COLOUR_DENSITY ? colours[foreground].plain : 0;
    if (foreground == COLOUR_CURSOR || foreground == COLOUR_BAR) own = LOOK_BOLD;
    if (background == COLOUR_BAR || background == COLOUR_CURSOR || background == COLOUR_MARK) {
        attributes |= LOOK_REVERSE;
        own &= ~(unsigned)LOOK_DIM;
    }
    return (struct look){DEFAULT, DEFAULT, attributes | own};
}

struct look palette_look(enum palette palette, bool light, enum colour foreground, enum colour background,
                         unsigned attributes)
{
    if (palette == PALETTE_NONE) return plain(foreground, background, attributes);
    const enum ground terminal = light ? LIGHT : DARK, ground = background == COLOUR_BAR ? BAR : terminal;
    struct look look = {number(palette, ground, foreground), number(palette, terminal, background),
                        attributes};
    if (foreground == COLOUR_TITLE) look.attributes |= LOOK_BOLD;
    if (palette == PALETTE_8 && foreground == COLOUR_DIM && ground != BAR) look.attributes |= LOOK_DIM;
    if (background == COLOUR_CURSOR || background == COLOUR_MARK)
        look.foreground = palette == PALETTE_256 ? 16 : BLACK; /* black in every palette */
    return look;
}

bool palette_shade(enum palette palette, bool light, const struct cell *cell, struct look *look)
{
    static const struct hue shades[] = {
        [DARK] = {DEFAULT, 238, 0x444444}, [LIGHT] = {DEFAULT, 252, 0xd0d0d0}};
    const struct hue *hue = &shades[light ? LIGHT : DARK];
    if (palette < PALETTE_256 || cell->character != 0x2591 || cell->foreground != COLOUR_DIM ||
        cell->background != COLOUR_TEXT || cell->attributes)
        return false;
    *look = (struct look){DEFAULT, palette == PALETTE_256 ? hue->cube : hue->direct, 0};
    return true;
}

/* Return the colour of a number among xterm's 256: a cube of 6 x 6 x 6 from 16 on, and greys from 232 on. */
static int rgb_of_256(int number)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    if (number >= 232) return (8 + 10 * (number - 232)) * 0x010101;
    number -= 16;
    return steps[number / 36] << 16 | steps[number / 6 % 6] << 8 | steps[number % 6];
}

int palette_rgb(enum palette palette, bool light, enum colour colour)
{
    const enum ground ground = light ? LIGHT : DARK;
    const int cube = palette == PALETTE_256 ? number(palette, ground, colour) : DEFAULT;
    return cube >= 16 ? rgb_of_256(cube) : number(PALETTE_DIRECT, ground, colour);
}
