#include "drawing/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Make 1e-5 of 1e-05, and 1e10 of 1e+10. An exponent of %g is never 0. */
static void shorten_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (!e) return;
    char *to = e + 1, *from = e + 1;
    if (*from == '-') to++;
    if (*from == '-' || *from == '+') from++;
    while (*from == '0')
        from++;
    memmove(to, from, strlen(from) + 1);
}

char *number_text(char *out, size_t size, double value, int wide)
{
    if (!isfinite(value)) {
        snprintf(out, size, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return out;
    }
    for (int digits = wide < 17 ? wide : 17; digits > 0; digits--) {
        snprintf(out, size, "%.*g", digits, value);
        shorten_exponent(out);
        if ((int)strlen(out) <= wide) return out;
    }
    snprintf(out, size, "#");
    return out;
}
