#include "ui/escapes/background.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Read a number of up to `digits` hexadecimal digits, and move *text past it. Returns the number's share of
 * the largest number with the same digits; -1 if there is no number. */
static double read_share(const char **text, int digits)
{
    unsigned value = 0, most = 0;
    for (int k = 0; k < digits && isxdigit((unsigned char)**text); k++, (*text)++) {
        char digit[2] = {**text, 0};
        value = value * 16 + (unsigned)strtoul(digit, NULL, 16);
        most = most * 16 + 15;
    }
    return most ? (double)value / most : -1;
}

bool background_of_answer(const char *colour, bool *light)
{
    /* The luma of Rec. 601. The weights are the brightness that people see in the three colours. */
    static const double weight[] = {0.299, 0.587, 0.114};
    bool slashes = strncmp(colour, "rgb:", 4) == 0 || strncmp(colour, "rgba:", 5) == 0;
    double luma = 0;
    if (!slashes && *colour != '#') return false;
    const char *c = slashes ? strchr(colour, ':') + 1 : colour + 1;
    int digits = slashes ? 4 : (int)strlen(c) / 3;
    for (int k = 0; k < 3; k++) {
        double share = read_share(&c, digits);
        if (share < 0 || (slashes && k < 2 && *c++ != '/')) return false;
        luma += weight[k] * share;
    }
    *light = luma > 0.5;
    return true;
}

bool background_of_environment(const char *variable, bool *light)
{
    const char *last = variable ? strrchr(variable, ';') : NULL;
    char *end;
    if (!last || !isdigit((unsigned char)last[1])) return false;
    long number = strtol(last + 1, &end, 10);
    if (*end || number > 15) return false;
    *light = number == 7 || number > 8; /* white and the bright colours, except 8, a dark grey */
    return true;
}

enum status background_read(const char *text, enum background *background, struct error *error)
{
    static const char *const names[] = {
        [BACKGROUND_ASKED] = "auto", [BACKGROUND_DARK] = "dark", [BACKGROUND_LIGHT] = "light"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(text, names[k]) == 0) {
            *background = (enum background)k;
            return STATUS_OK;
        }
    return error_set(error, STATUS_USAGE, "--background is light, dark or auto, and not '%s'", text);
}
