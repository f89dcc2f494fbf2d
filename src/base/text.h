/* Text: a string that grows, and the format of each kind of number for users. */
#ifndef SPARSIGHT_BASE_TEXT_H
#define SPARSIGHT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string that grows. Start with {0}. After a failed allocation `failed` stays true and further writing does
 * nothing, so that one test at the end suffices. `data` is terminated, or NULL before the first write.
 */
struct text {
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
};

void text_append(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_bytes(struct text *text, const char *bytes, size_t length);
void text_free(struct text *text);

/* Cut a text off after its first `length` bytes; a shorter text stays unchanged. */
void text_cut(struct text *text, size_t length);

/* Replace in place, byte by byte, by '?': the characters of words_control (base/words.h), which may be
 * commands to a terminal, and bytes that are not UTF-8. Returns words. */
char *text_visible(char *words);

/* Damerau's distance: the number of insertions, omissions, changes and swaps of neighbouring letters that
 * turn one word into the other. Words are cut at 63 bytes. O(product of their lengths). */
int text_apart(const char *a, const char *b);

/* Each of the functions below writes a number into out, which has `size` bytes, of which 32 suffice, and
 * returns out. The result is always terminated. */

/* Write all digits of a whole number, in groups of three: 1,234,567. */
char *format_count(char *out, size_t size, int64_t value);

/* Write a whole number as format_count does if that takes at most `wide` columns, else as format_short does.
 */
char *format_fitting(char *out, size_t size, int64_t value, int wide);

/* Write a number in at most 5 characters, without its sign: 0, 17, 1,234, 12.3k, 1.23M. */
char *format_short(char *out, size_t size, double value);

/* Write the label of a tick, which has few digits: 0.5, 500, 5,000, 10k, 2M. */
char *format_tick(char *out, size_t size, double value);

/* Write a number of bytes in a unit that suits it: 640 B, 1.25 KiB, 3.40 GiB. */
char *format_bytes(char *out, size_t size, double bytes);

/* Write a number of bytes a second in powers of 1000: 8.53 GB/s, 120 GB/s, 4545 GB/s. */
char *format_bandwidth(char *out, size_t size, double bandwidth);

/* Write a number with 6 significant digits. A number that is not finite becomes nan, inf or -inf. */
char *format_real(char *out, size_t size, double value);

/* Write a number with the fewest digits that read back as the same double. */
char *format_exact(char *out, size_t size, double value);

/* Write a number for lists of numbers, with this number of significant digits, or all of its integer part;
 * from 10,000 on as format_count does, from 10^7 on with an exponent. NaN is "-". */
char *format_digits(char *out, size_t size, double value, int digits);

/* The same with four digits, for measured or counted numbers without a unit. */
char *format_brief(char *out, size_t size, double value);

/* Write a measured or estimated share as a percentage: 3.4%, 12%. */
char *format_rough(char *out, size_t size, double share);

/* Write a share as a percentage: 0.125 is 12.5%, NaN is "-". */
char *format_percent(char *out, size_t size, double share);

/* Write a time in a unit that suits it: 850 ns, 12.3 us, 4.56 ms, 1.23 s, 2.08 min, 1.75 h,
 * 4.12 days. */
char *format_seconds(char *out, size_t size, double seconds);

/* Write a time of a column of times from `low` to `high` in the unit of the whole column: that of `high`, or
 * the next smaller one if `low` would be below 0.1. From 10,000 on, digits are grouped. If the times differ
 * by more than a factor of 1,000, or reach 100 s, each has its own unit. */
char *format_seconds_among(char *out, size_t size, double seconds, double low, double high);

/* Write an interval of times, the unit once if both ends have the same: "4.71 to 6.1 us", "940 ns to 1.2 us".
 */
char *format_interval(char *out, size_t size, double low, double high);

#endif
