/* base/: numbers as text, checked sizes, offsets, jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/job.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/set.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/words.h"

static void counts_are_grouped(void **state)
{
    char out[32];
    assert_string_equal(format_count(out, sizeof out, 0), "0");
    assert_string_equal(format_count(out, sizeof out, 999), "999");
    assert_string_equal(format_count(out, sizeof out, -1000), "-1,000");
    assert_string_equal(format_count(out, sizeof out, 1234567), "1,234,567");
    assert_string_equal(format_count(out, sizeof out, INT64_MIN), "-9,223,372,036,854,775,808");
}

static void short_numbers_never_grow_a_digit(void **state)
{
    char out[32];
    assert_string_equal(format_short(out, sizeof out, 9999), "9,999");
    assert_string_equal(format_short(out, sizeof out, -1849), "-1,849");
    assert_string_equal(format_short(out, sizeof out, 12345), "12.3k");
    assert_string_equal(format_short(out, sizeof out, 999999), "1.00M");
    assert_string_equal(format_short(out, sizeof out, 0.25), "0.25");
    assert_string_equal(format_tick(out, sizeof out, 0.5), "0.5");
    assert_string_equal(format_tick(out, sizeof out, 5000), "5,000");
    assert_string_equal(format_tick(out, sizeof out, 10000), "10k");
    assert_string_equal(format_tick(out, sizeof out, 500000), "500k");
    assert_string_equal(format_tick(out, sizeof out, 1e6), "1M");
    assert_string_equal(format_tick(out, sizeof out, INFINITY), "inf");
    assert_string_equal(format_bytes(out, sizeof out, 1023), "1023 B");
    assert_string_equal(format_bytes(out, sizeof out, 1024 * 1024 - 1), "1.00 MiB");
    assert_string_equal(format_percent(out, sizeof out, 0.125), "12.5%");
    assert_string_equal(format_brief(out, sizeof out, 4. / 3), "1.333");
    assert_string_equal(format_brief(out, sizeof out, 1), "1");
    assert_string_equal(format_brief(out, sizeof out, 9999.4), "9999");
    assert_string_equal(format_brief(out, sizeof out, -123456.7), "-123,457");
    assert_string_equal(format_brief(out, sizeof out, 1e7), "1e+07");
    assert_string_equal(format_brief(out, sizeof out, NAN), "-");
    assert_string_equal(format_digits(out, sizeof out, 4. / 3, 3), "1.33");
    assert_string_equal(format_digits(out, sizeof out, 1234.5, 3), "1234");
    assert_string_equal(format_rough(out, sizeof out, 0.034), "3.4%");
    assert_string_equal(format_rough(out, sizeof out, 0.0996), "10%");
    assert_string_equal(format_rough(out, sizeof out, -0.5), "-50%");
    assert_string_equal(format_rough(out, sizeof out, NAN), "-");
    assert_string_equal(format_percent(out, sizeof out, 1), "100%");
    assert_string_equal(format_percent(out, sizeof out, share_of(1, 0)), "-");
    assert_string_equal(format_bandwidth(out, sizeof out, 8.534e9), "8.53 GB/s");
    assert_string_equal(format_bandwidth(out, sizeof out, 999.4e9), "999 GB/s");
    assert_string_equal(format_bandwidth(out, sizeof out, 999.5e9), "1000 GB/s");
    assert_string_equal(format_bandwidth(out, sizeof out, 4545.4e9), "4545 GB/s");
    assert_string_equal(format_seconds(out, sizeof out, 4.56e-3), "4.56 ms");
    /* Times share a unit: 900 us are 0.90 ms beside 5 ms, but 13 us would be too small a part of a
     * millisecond beside 1.2 ms. Times more than a factor of 1,000 apart, and minutes, have units of their
     * own */
    assert_string_equal(format_seconds_among(out, sizeof out, 9e-4, 9e-4, 5e-3), "0.90 ms");
    assert_string_equal(format_seconds_among(out, sizeof out, 5e-3, 9e-4, 5e-3), "5.00 ms");
    assert_string_equal(format_seconds_among(out, sizeof out, 9e-4, 9e-4, 0.05), "0.90 ms");
    assert_string_equal(format_seconds_among(out, sizeof out, 0.0123, 9e-4, 0.05), "12.3 ms");
    assert_string_equal(format_seconds_among(out, sizeof out, 1.2345e-3, 13e-6, 1.2345e-3), "1234 us");
    assert_string_equal(format_seconds_among(out, sizeof out, 13e-6, 12e-6, 1.3e-2), "13.0 us");
    assert_string_equal(format_seconds_among(out, sizeof out, 50, 50, 125), "50.0 s");
    assert_string_equal(format_seconds_among(out, sizeof out, 14.6284e-3, 22.7e-6, 14.6284e-3), "14,628 us");
    assert_string_equal(format_seconds_among(out, sizeof out, 9.9994e-3, 22.7e-6, 14.6284e-3), "9999 us");
    assert_string_equal(format_seconds(out, sizeof out, 99.94), "99.9 s");
    assert_string_equal(format_seconds(out, sizeof out, 125), "2.08 min");
    assert_string_equal(format_seconds(out, sizeof out, 99.9 * 60), "99.9 min");
    assert_string_equal(format_seconds(out, sizeof out, 6300), "1.75 h");
    assert_string_equal(format_seconds(out, sizeof out, 3e5), "83.3 h");
    assert_string_equal(format_seconds(out, sizeof out, 4e6), "46.3 days");
}

static void exact_numbers_read_back(void **state)
{
    static const double values[] = {0.1,          1.0 / 3, DBL_MAX, DBL_MIN,
                                    DBL_TRUE_MIN, -2.5e-7, 1e22,    123456789.125};
    char out[40];
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        assert_true(strtod(format_exact(out, sizeof out, values[k]), NULL) == values[k]);
    assert_string_equal(format_fitting(out, sizeof out, 1092411, 9), "1,092,411");
    assert_string_equal(format_fitting(out, sizeof out, 1092411, 8), "1.09M");
    assert_string_equal(format_exact(out, sizeof out, 0.1), "0.1");
    assert_string_equal(format_exact(out, sizeof out, 50), "50");
    assert_string_equal(format_exact(out, sizeof out, -120000), "-120000");
    assert_string_equal(format_exact(out, sizeof out, 1e22), "1e+22");
    assert_string_equal(format_exact(out, sizeof out, 1.0 / 3), "0.3333333333333333");
    assert_string_equal(format_exact(out, sizeof out, DBL_TRUE_MIN), "5e-324");
    assert_string_equal(format_exact(out, sizeof out, NAN), "nan");
}

static void sizes_do_not_wrap(void **state)
{
    size_t size;
    struct error error = {0};
    assert_false(size_multiply(SIZE_MAX / 2, 3, &size));
    assert_int_equal(size, SIZE_MAX);
    assert_false(size_add(SIZE_MAX, 1, &size));
    assert_null(memory_array(SIZE_MAX / 2, 4, &error));
    assert_int_equal(error.status, STATUS_MEMORY);
    error_clear(&error);
    assert_int_equal(memory_check(2000, 1000, "the matrix", &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the matrix needs 1.95 KiB"));
    assert_int_equal(memory_check(1001, 1000, "the matrix", NULL), STATUS_LIMIT);
    assert_int_equal(memory_check(1000, 1000, "the matrix", NULL), STATUS_OK);
}

/* A process that may have 64 MiB more of address space has that much available, and a matrix may have nine
 * tenths of it. */
static void address_space_that_is_left_is_the_limit(void **state)
{
    enum { LEFT = 64 << 20, NEARLY = 1 << 20 };
    unsigned long long pages = 0;
    struct rlimit before;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    struct rlimit few = before;
    few.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + LEFT;
    assert_int_equal(setrlimit(RLIMIT_AS, &few), 0);
    size_t available = memory_available(), limit = memory_limit(0), all = 0;
#ifndef __SANITIZE_ADDRESS__    /* AddressSanitizer's allocator ends the program when memory is used up */
    few.rlim_cur = LEFT / 1024; /* less than the memory in use */
    if (setrlimit(RLIMIT_AS, &few) == 0) all = memory_available();
#endif
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_in_range(available, LEFT - NEARLY, LEFT + NEARLY);
    assert_in_range(limit, LEFT / 10 * 9 - NEARLY, LEFT / 10 * 9 + NEARLY);
    assert_int_equal(all, 0);
    assert_int_equal(memory_limit(1234), 1234);
}

/* Eight arrays at once: the C library alone would place at most some of them there. */
static void larger_arrays_begin_at_a_cache_line(void **state)
{
    static const size_t size[] = {512, 513, 1000, 4096, 100000, 1 << 20, (size_t)9 << 20, 600};
    void *array[8];
    for (int k = 0; k < 8; k++)
        assert_non_null(array[k] = memory_array(size[k], 1, NULL));
    for (int k = 0; k < 8; k++)
        assert_int_equal((uintptr_t)array[k] % 64, 0);
    for (int k = 0; k < 8; k++)
        free(array[k]);
}

static void the_chosen_allocation_fails(void **state)
{
    memory_fail_after(1);
    void *first = memory_array(1, 1, NULL), *second = memory_array(1, 1, NULL),
         *third = memory_array(1, 1, NULL);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_int_equal(memory_failures(), 1);
    memory_fail_after(-1);
    free(first);
    free(third);
}

/* Allocations beyond the limit and the slack are refused, and the refusals are counted. */
static void memory_is_held_to_a_limit(void **state)
{
    const size_t limit = memory_held() + ((size_t)1 << 20), large = MEMORY_SLACK + ((size_t)2 << 20);
    const long before = memory_refusals();
    struct error error = {0};
    if (limit == (size_t)1 << 20) skip(); /* the C library does not say what is allocated */
    memory_hold(limit);
    void *refused = memory_array(large, 1, &error),
         *granted = memory_array(MEMORY_SLACK - ((size_t)1 << 20), 1, NULL);
    memory_hold(0);
    void *free_again = memory_array(large, 1, NULL);
    assert_null(refused);
    assert_int_equal(error.status, STATUS_LIMIT);
    assert_non_null(strstr(error.message, "18.0 MiB more would pass the limit of "));
    assert_true(memory_refusals() > before);
    assert_non_null(granted);
    assert_non_null(free_again);
    free(granted);
    free(free_again);
}

static void words_are_letters_apart(void **state)
{
    assert_int_equal(text_apart("kitten", "sitting"), 3);
    assert_int_equal(text_apart("sitting", "kitten"), 3);
    assert_int_equal(text_apart("", "abc"), 3);
    assert_int_equal(text_apart("abc", ""), 3);
    assert_int_equal(text_apart("abc", "abc"), 0);
    assert_int_equal(text_apart("abcd", "bcda"), 2);
    assert_int_equal(text_apart("csr-opm", "csr-omp"), 1);
    assert_int_equal(text_apart("ba", "ab"), 1);
    assert_int_equal(text_apart("badc", "abcd"), 2);
    assert_int_equal(text_apart("abc", "ca"), 3); /* no swap, since a and c are not adjacent */
    assert_int_equal(text_apart("aab", "aba"), 1);
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[199] = b[199] = 0;
    assert_int_equal(text_apart(a, b), 63);
}

static char *guessed(const char *word, const char *const *known, char out[GUESS_TEXT])
{
    struct guess guess;
    guess_start(&guess, word, strlen(word));
    for (; *known; known++)
        guess_offer(&guess, *known, *known);
    return guess_text(&guess, out);
}

static void intended_words_are_guessed(void **state)
{
    static const char *const known[] = {"report", "gen", "kernels", "csr-omp", "csr-seq", "coo-omp", NULL};
    static const struct {
        const char *word, *text;
    } cases[] = {
        {"reprot", "; did you mean report"},
        {"KERNELS", "; did you mean kernels"},
        {"gne", "; did you mean gen"},
        {"gxx", ""},
        {"g", ""},
        {"", ""},
        {"csr-opm", "; did you mean csr-omp"},
        {"cor-omp", "; did you mean csr-omp or coo-omp"},
        {"cxx-xxx", ""},
        {"report of a whole matrix", ""},
    };
    char out[GUESS_TEXT];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(guessed(cases[k].word, known, out), cases[k].text);
    static const char *const many[] = {"aa", "ab", "ab", "ac", "ad", "ae", NULL};
    assert_string_equal(guessed("az", many, out), "; did you mean aa, ab, ac or ad");
    static const char *const nearer_last[] = {"abcdefxy", "abcdefgx", NULL};
    assert_string_equal(guessed("abcdefgh", nearer_last, out), "; did you mean abcdefgx");
    struct guess guess;
    guess_start(&guess, "genx,n=3", 4);
    guess_offer(&guess, "gen", "the generator");
    assert_string_equal(guess_text(&guess, out), "; did you mean the generator");
}

static const char *fruit(int k)
{
    static const char *const names[] = {"apple", "pear", "plum", NULL};
    return names[k];
}

static void words_of_a_table_are_listed(void **state)
{
    struct error error = {0};
    assert_int_equal(guess_refuse("no fruit is called", "paer,x", 4, fruit, &error), STATUS_USAGE);
    assert_string_equal(error.message,
                        "no fruit is called 'paer'; did you mean pear? There are apple, pear, plum");
    error = (struct error){0};
    assert_int_equal(guess_refuse("no fruit is called", "nut", 3, fruit, &error), STATUS_USAGE);
    assert_string_equal(error.message, "no fruit is called 'nut'; there are apple, pear, plum");
}

static void control_characters_are_made_visible(void **state)
{
    /* CSI in both its forms is replaced. U+00A0 and U with circumflex, which share bytes with it, stay. */
    char words[] = "a\x1b[1m\tb\x7f \xc2\x9b"
                   "31m \xc2\xa0 \xc3\x9b \xc2";
    assert_string_equal(text_visible(words), "a?[1m?b? ??31m \xc2\xa0 \xc3\x9b ?");
    struct error error = {0};
    char text[64];
    error_set(&error, STATUS_INPUT, "x\xc2\x9by");
    assert_string_equal(error_text(&error, text, sizeof text), "x??y");
}

/* U+009B as UTF-8 and as a byte, an overlong '/', a surrogate, half a euro sign, U+202E and U+FFFE. */
static void words_are_safe_for_each_medium(void **state)
{
    static const struct {
        enum medium medium;
        const char *words, *written;
    } cases[] = {
        {MEDIUM_TERMINAL, "a\x1b[1m\n\tb", "a?[1m??b"},
        {MEDIUM_TERMINAL, "\xc2\x9b|\x9b|\xc0\xaf|\xed\xa0\x80|\xe2\x82", "?|?|??|???|??"},
        {MEDIUM_TERMINAL, "\xe2\x80\xae|\xef\xbf\xbe|\xe2\x82\xac", "?|?|\xe2\x82\xac"},
        {MEDIUM_CSV, "plain", "plain"},
        {MEDIUM_CSV, "a,b \"c\"", "\"a,b \"\"c\"\"\""},
        {MEDIUM_CSV, "=1+1", "'=1+1"},
        {MEDIUM_CSV, "@x,y", "\"'@x,y\""},
        {MEDIUM_CSV, "-x", "'-x"},
        {MEDIUM_CSV, "+1+cmd", "'+1+cmd"},
        {MEDIUM_CSV, "-3", "-3"},
        {MEDIUM_CSV, "-.5e-3", "-.5e-3"},
        {MEDIUM_CSV, "+7", "+7"},
        {MEDIUM_CSV, "-", "-"},
        {MEDIUM_CSV, "a=b", "a=b"},
        {MEDIUM_CSV, "\t=1", "?=1"},
        {MEDIUM_CSV, "\x9b\n", "??"},
        {MEDIUM_MARKDOWN, "<b>|`x\n", "\\<b\\>\\|\\`x?"},
        {MEDIUM_XML, "<b a=\"&\">\x9b\xef\xbf\xbf", "&lt;b a=&quot;&amp;&quot;&gt;??"},
        {MEDIUM_JSON, "a\"\\\n\x1b\x7f", "\"a\\\"\\\\\\n\\u001b\\u007f\""},
        {MEDIUM_JSON, "\xc2\x9b\x9b\xe2\x80\xa8", "\"\\u009b\xef\xbf\xbd\\u2028\""},
        {MEDIUM_JSON, "\xf0\x9f\xbf\xbf\xf0\x9f\x98\x80", "\"\\ud83f\\udfff\xf0\x9f\x98\x80\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct text text = {0};
        words_append(&text, cases[k].medium, cases[k].words);
        assert_string_equal(text.data, cases[k].written);
        text_free(&text);
    }
    struct text cut = {0};
    words_append_most(&cut, MEDIUM_XML, "a\xe2\x82\xac", 3);
    assert_string_equal(cut.data, "a");
    text_free(&cut);
    char lines[] = "a\tb\n\r\x1b\x9b\xc2\x9b\0c";
    words_check_lines(lines, sizeof lines - 1);
    assert_string_equal(lines, "a\tb\n??????c");
}

/* Surrogates alone are encoded, but are no characters. */
static void characters_are_decoded_as_they_are_encoded(void **state)
{
    static const struct {
        uint32_t character;
        const char *bytes;
    } known[] = {{'A', "A"},
                 {0x7f, "\x7f"},
                 {0x80, "\xc2\x80"},
                 {0x7ff, "\xdf\xbf"},
                 {0x800, "\xe0\xa0\x80"},
                 {0xffff, "\xef\xbf\xbf"},
                 {0x10000, "\xf0\x90\x80\x80"},
                 {0x10ffff, "\xf4\x8f\xbf\xbf"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char bytes[5] = {0};
        assert_int_equal(words_encode(known[k].character, bytes), strlen(known[k].bytes));
        assert_string_equal(bytes, known[k].bytes);
    }
    for (uint32_t c = 1; c < 0x110000; c++) {
        char bytes[5] = {0};
        uint32_t back;
        int length = words_encode(c, bytes), read = words_decode(bytes, &back);
        if (c >= 0xd800 && c < 0xe000 ? read != 0 : read != length || back != c)
            fail_msg("U+%04X has %d bytes, of which %d are read as U+%04X", c, length, read, back);
    }
}

static void no_character_is_cut(void **state)
{
    static const char words[] = "a\u00e4\u20ac\U0001f600b"; /* of 1, 2, 3, 4 and 1 bytes */
    static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t most = 0; most < sizeof cuts / sizeof *cuts; most++)
        assert_int_equal(words_cut(words, most), cuts[most]);
    for (size_t most = 0; most <= 12; most++) {
        const char *end = words_end(words, most);
        assert_true(strlen(end) <= most && (end == words || !words_continues(*end)));
        assert_true(end == words || strlen(end) + 4 > most);
    }
    assert_string_equal(words_end(words, 4), "b");
    assert_string_equal(words_end(words, 5), "\U0001f600b");
    assert_string_equal(words_next(words_next(words)), "\u20ac\U0001f600b");
    assert_int_equal(words_cut("\u20ac", 2), 0);
}

static void errors_are_one_line_and_the_first_wins(void **state)
{
    char text[256];
    struct error error = {0};
    error_at(&error, STATUS_INPUT, "a\nb.mtx", 3, 7, "column index %d", 9);
    error_set(&error, STATUS_MEMORY, "later");
    assert_string_equal(error_text(&error, text, sizeof text), "a?b.mtx:3:7: column index 9");
    error_clear(&error);
    error_at(&error, STATUS_INPUT, "a.mtx", 3, 0, "the line is empty");
    assert_string_equal(error_text(&error, text, sizeof text), "a.mtx:3: the line is empty");
    error_clear(&error);
    error_at(&error, STATUS_IO, "a.mtx", 0, 0, "cannot be read");
    assert_string_equal(error_text(&error, text, sizeof text), "a.mtx: cannot be read");
    error_clear(&error);
    error_set(&error, STATUS_MEMORY, "out of memory");
    assert_string_equal(error_text(&error, text, sizeof text), "out of memory");
}

static void offsets_equal_a_plain_loop(void **state)
{
    static const int64_t sizes[] = {0, 1, 2, 1000, 65536, 300001};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int64_t n = sizes[k], sum = 0;
        int64_t *array = memory_array((size_t)n + 1, sizeof *array, NULL);
        for (int64_t i = 0; i < n; i++)
            array[i] = i * 7919 % 13;
        threads_offsets(array, n);
        for (int64_t i = 0; i < n; i++) {
            assert_int_equal(array[i], sum);
            sum += i * 7919 % 13;
        }
        assert_int_equal(array[n], sum);
        free(array);
    }
}

/* One byte of each page becomes 0, and none outside the array. A single thread changes nothing. */
static void arrays_are_touched_page_by_page(void **state)
{
    enum { PAGE = 4096, BYTES = 6 * 1048576 + 100 };
    static unsigned char memory[BYTES + 2];
    memset(memory, 7, sizeof memory);
    threads_set(1);
    threads_place(memory + 1, BYTES);
    assert_null(memchr(memory, 0, sizeof memory));
    threads_set(3);
    threads_place(memory + 1, BYTES);
    threads_place(memory, 0);
    threads_set(0);
    for (size_t k = 1; k + PAGE <= BYTES; k += PAGE)
        assert_non_null(memchr(memory + k, 0, PAGE));
    assert_int_equal(memory[0], 7);
    assert_int_equal(memory[BYTES + 1], 7);
}

/* Numbers in words that several threads write, against a byte for each. */
static void sets_equal_an_array_of_flags(void **state)
{
    for (int64_t n = 0; n < 400; n += 57) {
        unsigned char flags[400] = {0};
        uint64_t *set = set_new(n, NULL);
        assert_non_null(set);
        assert_int_equal(set_count(set, n), 0);
        assert_int_equal(set_next(set, n, 0), n);
        int64_t count = 0;
#pragma omp parallel for num_threads(4)
        for (int64_t k = 0; k < n; k++)
            if (k * k % 7 == 2 || k % 64 == 63) set_add(set, k);
        for (int64_t k = 0; k < n; k++)
            count += flags[k] = k * k % 7 == 2 || k % 64 == 63;
        assert_int_equal(set_count(set, n), count);
        for (int64_t k = 0; k <= n; k++) {
            int64_t next = k;
            while (next < n && !flags[next])
                next++;
            assert_int_equal(set_next(set, n, k), next);
        }
        free(set);
    }
}

static enum status count_until_cancelled(void *argument, struct progress *progress, struct error *error)
{
    progress_phase(progress, "counting", 0);
    while (!progress_cancelled(progress))
        progress_add(progress, 1);
    return progress_status(progress, error);
}

static void a_job_stops_when_cancelled(void **state)
{
    struct job job;
    assert_int_equal(job_start(&job, count_until_cancelled, NULL, NULL), STATUS_OK);
    while (atomic_load(&job.progress.done) < 10)
        ;
    assert_false(job_finished(&job));
    progress_cancel(&job.progress);
    assert_int_equal(job_join(&job), STATUS_CANCELLED);
    assert_true(job_finished(&job));
    assert_string_equal(job.error.message, "cancelled");
}

static void a_phase_begins_at_nothing(void **state)
{
    struct progress progress = {0};
    progress_phase(&progress, "counting", 10);
    progress_add(&progress, 4);
    progress_add(&progress, 5);
    assert_int_equal(atomic_load(&progress.done), 9);
    progress_phase(&progress, "placing", 20);
    assert_int_equal(atomic_load(&progress.done), 0);
    assert_int_equal(atomic_load(&progress.total), 20);
    assert_string_equal(atomic_load(&progress.phase), "placing");
}

static enum status note_threads(void *argument, struct progress *progress, struct error *error)
{
    *(int *)argument = threads_count();
    return STATUS_OK;
}

static void a_job_has_its_starters_threads(void **state)
{
    struct job job;
    int found = 0;
    threads_set(5);
    assert_int_equal(job_start(&job, note_threads, &found, NULL), STATUS_OK);
    assert_int_equal(job_join(&job), STATUS_OK);
    assert_int_equal(found, 5);
    threads_set(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_grouped),
        cmocka_unit_test(short_numbers_never_grow_a_digit),
        cmocka_unit_test(exact_numbers_read_back),
        cmocka_unit_test(sizes_do_not_wrap),
        cmocka_unit_test(address_space_that_is_left_is_the_limit),
        cmocka_unit_test(larger_arrays_begin_at_a_cache_line),
        cmocka_unit_test(the_chosen_allocation_fails),
        cmocka_unit_test(memory_is_held_to_a_limit),
        cmocka_unit_test(words_are_letters_apart),
        cmocka_unit_test(intended_words_are_guessed),
        cmocka_unit_test(words_of_a_table_are_listed),
        cmocka_unit_test(control_characters_are_made_visible),
        cmocka_unit_test(words_are_safe_for_each_medium),
        cmocka_unit_test(characters_are_decoded_as_they_are_encoded),
        cmocka_unit_test(no_character_is_cut),
        cmocka_unit_test(errors_are_one_line_and_the_first_wins),
        cmocka_unit_test(offsets_equal_a_plain_loop),
        cmocka_unit_test(arrays_are_touched_page_by_page),
        cmocka_unit_test(sets_equal_an_array_of_flags),
        cmocka_unit_test(a_job_stops_when_cancelled),
        cmocka_unit_test(a_phase_begins_at_nothing),
        cmocka_unit_test(a_job_has_its_starters_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
