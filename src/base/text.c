#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool reserve(struct text *text, size_t more)
{
    if (text->failed) return false;
    size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity) return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < wanted)
        capacity *= 2;
    char *data = memory_resize(text->data, capacity, 1, NULL);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_append_bytes(struct text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length)) return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void text_append(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(text, (size_t)length)) return;
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void text_cut(struct text *text, size_t length)
{
    if (length >= text->length) return;
    text->length = length;
    text->data[length] = 0;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

char *format_count(char *out, size_t size, int64_t value)
{
    char digits[32], grouped[48];
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)magnitude), used = 0;
    if (value < 0) grouped[used++] = '-';
    for (int k = 0; k < length; k++) {
        if (k && (length - k) % 3 == 0) grouped[used++] = ',';
        grouped[used++] = digits[k];
    }
    grouped[used] = 0;
    snprintf(out, size, "%s", grouped);
    return out;
}

char *format_fitting(char *out, size_t size, int64_t value, int wide)
{
    format_count(out, size, value);
    return (int)strlen(out) <= wide ? out : format_short(out, size, (double)value);
}

#define WORD_MAX 63

/* The distance d(i, j) of the first i letters of a from the first j letters of b is the least of
 *
 *     d(i-1, j) + 1,    d(i, j-1) + 1,    d(i-1, j-1) + (a[i-1] != b[j-1]),
 *     d(i-2, j-2) + 1 if a[i-2] = b[j-1] and a[i-1] = b[j-2],
 *
 * with d(i, 0) = i and d(0, j) = j (Damerau, "A technique for computer detection and correction of spelling
 * errors", Comm. ACM 7, 1964; each letter is exchanged at most once). Only three rows of this table are
 * stored: row i is rows[i % 3]. */
int text_apart(const char *a, const char *b)
{
    int m = (int)strnlen(a, WORD_MAX), n = (int)strnlen(b, WORD_MAX), rows[3][WORD_MAX + 1];
    for (int i = 0; i <= m; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        for (int j = 0; j <= n; j++) {
            row[j] = i == 0 ? j : i;
            if (i == 0 || j == 0) continue;
            int least = above[j] < row[j - 1] ? above[j] + 1 : row[j - 1] + 1;
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            bool exchanged = i > 1 && j > 1 && a[i - 2] == b[j - 1] && a[i - 1] == b[j - 2];
            if (change < least) least = change;
            if (exchanged && second[j - 2] + 1 < least) least = second[j - 2] + 1;
            row[j] = least;
        }
    }
    return rows[m % 3][n];
}

/* Write three significant digits with a suffix. The next suffix is taken from 0.9995 of the base on, since
 * 999.7 would be rounded to 1000. */
static char *scaled(char *out, size_t size, double value, double base, const char *const *suffix, int count)
{
    int k = 0;
    while (k + 1 < count && fabs(value) >= base * 0.9995) {
        value /= base;
        k++;
    }
    double magnitude = fabs(value);
    int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
    snprintf(out, size, "%.*f%s", decimals, value, suffix[k]);
    return out;
}

char *format_short(char *out, size_t size, double value)
{
    static const char *const suffix[] = {"", "k", "M", "G", "T", "P", "E"};
    if (isfinite(value) && fabs(value) < 9999.5 && value == floor(value))
        return format_count(out, size, (int64_t)value);
    if (!isfinite(value)) return format_real(out, size, value);
    return scaled(out, size, value, 1000, suffix, 7);
}

char *format_tick(char *out, size_t size, double value)
{
    static const char *const suffix[] = {"k", "M", "G", "T", "P", "E"};
    int k = 0;
    if (!isfinite(value)) return format_real(out, size, value);
    if (fabs(value) < 9999.5)
        return value == floor(value) ? format_count(out, size, (int64_t)value)
                                     : format_brief(out, size, value);
    for (value /= 1000; k < 5 && fabs(value) >= 999.5; k++)
        value /= 1000;
    snprintf(out, size, "%.3g%s", value, suffix[k]);
    return out;
}

char *format_bytes(char *out, size_t size, double bytes)
{
    static const char *const suffix[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    if (bytes < 1024) {
        snprintf(out, size, "%.0f B", bytes);
        return out;
    }
    return scaled(out, size, bytes, 1024, suffix, 7);
}

char *format_bandwidth(char *out, size_t size, double bandwidth)
{
    double gigabytes = bandwidth * 1e-9;
    snprintf(out, size, gigabytes < 999.5 ? "%.3g GB/s" : "%.0f GB/s", gigabytes);
    return out;
}

char *format_real(char *out, size_t size, double value)
{
    if (isnan(value))
        snprintf(out, size, "nan");
    else
        snprintf(out, size, "%.6g", value);
    return out;
}

char *format_exact(char *out, size_t size, double value)
{
    if (!isfinite(value)) return format_real(out, size, value);
    /* Every decimal of 15 digits survives conversion to a normal double and back. So if 15 digits or fewer
     * give this value, writing 15 finds them: %g drops zeros at the end. Subnormal numbers have fewer
     * bits. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        char attempt[40];
        snprintf(attempt, sizeof attempt, "%.*g", digits, value);
        if (digits == 17 || strtod(attempt, NULL) == value) {
            snprintf(out, size, "%s", attempt);
            break;
        }
    }
    return out;
}

char *format_digits(char *out, size_t size, double value, int digits)
{
    const double magnitude = fabs(value);
    if (isnan(value))
        snprintf(out, size, "-");
    else if (magnitude >= 9999.5 && magnitude < 1e7)
        format_count(out, size, llrint(value));
    else if (magnitude >= pow(10, digits) - 0.5 && magnitude < 1e7)
        snprintf(out, size, "%.0f", value); /* %g would write an exponent */
    else
        snprintf(out, size, "%.*g", digits, value);
    return out;
}

char *format_brief(char *out, size_t size, double value)
{
    return format_digits(out, size, value, 4);
}

char *format_rough(char *out, size_t size, double share)
{
    if (isnan(share))
        snprintf(out, size, "-");
    else
        snprintf(out, size, fabs(share) < 0.0995 ? "%.1f%%" : "%.0f%%", 100 * share);
    return out;
}

char *format_percent(char *out, size_t size, double share)
{
    if (isnan(share))
        snprintf(out, size, "-");
    else
        snprintf(out, size, "%.3g%%", 100 * share);
    return out;
}

char *format_seconds(char *out, size_t size, double seconds)
{
    static const char *const suffix[] = {" ns", " us", " ms", " s"};
    static const struct {
        double seconds;
        const char *suffix;
    } longer[] = {{60, " min"}, {3600, " h"}, {86400, " days"}};
    int k = 0;
    if (!(seconds >= 99.95)) return scaled(out, size, seconds * 1e9, 1000, suffix, 4);
    while (k < 2 && seconds >= 99.95 * longer[k].seconds)
        k++;
    return scaled(out, size, seconds / longer[k].seconds, 1000, &longer[k].suffix, 1);
}

char *format_seconds_among(char *out, size_t size, double seconds, double low, double high)
{
    static const char *const suffix[] = {"ns", "us", "ms", "s"};
    char count[32];
    double unit = 1e-9;
    int k = 0;
    if (!(low > 0) || !(high <= 1000 * low) || high >= 99.95 || !isfinite(seconds))
        return format_seconds(out, size, seconds);
    for (; k < 3 && high >= 999.5 * unit && low >= 100 * unit; k++)
        unit *= 1000;
    const double value = seconds / unit;
    if (value < 0.0995)
        snprintf(out, size, "%.3g %s", value, suffix[k]);
    else if (value >= 9999.5)
        snprintf(out, size, "%s %s", format_count(count, sizeof count, llrint(value)), suffix[k]);
    else
        snprintf(out, size, "%.*f %s", value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, suffix[k]);
    return out;
}

char *format_interval(char *out, size_t size, double low, double high)
{
    char first[32], last[32];
    format_seconds(first, sizeof first, low);
    format_seconds(last, sizeof last, high);
    char *unit = strchr(first, ' '), *same = strchr(last, ' ');
    if (unit && same && strcmp(unit, same) == 0) *unit = 0;
    snprintf(out, size, "%s to %s", first, last);
    return out;
}
