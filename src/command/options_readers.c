#include "command/options_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/parts/network.h"
#include "base/guess.h"
#include "base/threads.h"
#include "command/command.h"
#include "drawing/picture.h"
#include "kernels/energy/measure.h"
#include "kernels/timing/samples.h"
#include "matrix/files/reader.h"
#include "report/sections.h"

#define CHARACTERS_MIN 16 /* minimum size of a picture in a terminal, in characters */

/* Readers of several options */

/* Return the field of an option. */
static void *field_of(const struct option_row *row, struct options *options)
{
    return (char *)options + row->field;
}

static enum status refuse(const struct option_row *row, const char *text, struct error *error)
{
    return error_set(error, STATUS_USAGE, "--%s=%.40s: %s", row->name, text, row->wants);
}

/* Return the index of the text among the words of a|b|c; -1 if it is none of them. */
static int choice(const char *words, const char *text)
{
    for (int k = 0;; k++) {
        size_t length = strcspn(words, "|");
        if (strlen(text) == length && strncmp(words, text, length) == 0) return k;
        if (!words[length]) return -1;
        words += length + 1;
    }
}

static enum status read_whole(const struct option_row *row, const char *text, long long *number,
                              struct error *error)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (!errno && text[0] >= '0' && text[0] <= '9' && !*end && *number >= row->min && *number <= row->max)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "--%s=%.40s is not a whole number from %lld to %lld", row->name,
                     text, (long long)row->min, (long long)row->max);
}

enum status read_count(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    long long number;
    enum status status = read_whole(row, text, &number, error);
    if (status == STATUS_OK) *(int *)field_of(row, options) = (int)number;
    return status;
}

enum status read_string(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    *(const char **)field_of(row, options) = text;
    return STATUS_OK;
}

/* Read a number of bytes, such as "4096", "512K", "3MiB", "2g", "1T" (powers of 1024 in any case). */
enum status read_bytes(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (unit) end++;
    if (unit && strcasecmp(end, "iB") == 0) end += 2;
    if (errno || text[0] < '0' || text[0] > '9' || *end || number == 0 || number > SIZE_MAX >> shift)
        return error_set(error, STATUS_USAGE,
                         "'%s' is not a size: give bytes, or KiB, MiB, GiB, TiB (powers of 1024; K, M, G, T "
                         "for short), as 512M or 8GiB",
                         text);
    *(size_t *)field_of(row, options) = (size_t)number << shift;
    return STATUS_OK;
}

/* Read a share, such as 0.1 or 10%; false if it is not one. */
static bool read_share(const char *text, double *share)
{
    char *end;
    *share = strtod(text, &end);
    if (*end == '%') {
        *share /= 100;
        end++;
    }
    return end != text && !*end && *share >= 0;
}

/* Read two integers from min to max with this letter between them; returns false on failure. */
static bool read_two(const char *text, char between, int64_t min, int64_t max, int64_t numbers[2])
{
    for (int k = 0; k < 2; k++) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        numbers[k] = strtoll(text, &end, 10);
        if (numbers[k] < min || numbers[k] > max || *end != (k ? 0 : between)) return false;
        text = end + 1;
    }
    return true;
}

/* True if a list has an item. */
static bool names_any(const char *text)
{
    return text[strspn(text, " \t\n,")] != 0;
}

enum status read_formats(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    if (strcmp(text, "none") == 0) return STATUS_OK;
    if (names_any(text)) return format_list_add(field_of(row, options), text, error);
    return error_set(error, STATUS_USAGE, "--%s= names no format; it takes a list, all or none", row->name);
}

/* Reports */

enum status read_report_format(const struct option_row *row, const char *text, struct options *options,
                               struct error *error)
{
    options->format = report_format_find(text, error);
    if (!options->format) return STATUS_USAGE;
    options->request.wants = options->format->wants;
    options->request.distribution.keep = options->format->owners;
    if (!options->carried) options->request.carry = options->format->carry;
    return STATUS_OK;
}

enum status read_only(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    return sections_read(text, &options->request.only, error);
}

enum status read_sheet_format(const struct option_row *row, const char *text, struct options *options,
                              struct error *error)
{
    options->sheet_format = sheet_format_find(text, error);
    return options->sheet_format ? STATUS_OK : STATUS_USAGE;
}

enum status read_carry(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    options->request.carry = 0;
    return strcmp(text, "0") == 0 ? STATUS_OK : read_bytes(row, text, options, error);
}

/* Names of formats, orders, kernels, parts */

enum status read_kernels(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    if (names_any(text)) return kernel_list_add(&options->request.kernels, text, error);
    return error_set(error, STATUS_USAGE, "--kernels= names no kernel; it takes a list, all or none");
}

/* Add orders to a list; commands that write or draw one matrix accept only one. */
enum status read_orders(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    struct order_list *list = &options->request.orders;
    bool one = options->command & (COMMAND_GEN | COMMAND_CONVERT | COMMAND_PLOT | COMMAND_RANKS_CONVERT);
    if (one && list->count)
        return error_set(error, STATUS_USAGE, "--reorder is given twice; %s takes one order",
                         command_of(options->command)->name);
    if (one) return order_list_add_one(list, text, error);
    if (!names_any(text)) return error_set(error, STATUS_USAGE, "--reorder= names no order; it takes a list");
    enum status status = order_list_add(list, text, error);
    if (status != STATUS_OK || list->count < SESSION_CASES) return status;
    return error_set(error, STATUS_USAGE, "--reorder names %d orders; the maximum is %d", list->count,
                     SESSION_CASES - 1);
}

/* Add precisions to the requested ones. The file determines whether a matrix is real or complex, so that c64
 * and c32 are the same precisions. */
enum status read_precisions(const struct option_row *row, const char *text, struct options *options,
                            struct error *error)
{
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        if (length == 3 && (memcmp(word, "f64", 3) == 0 || memcmp(word, "c64", 3) == 0))
            options->request.f64 = true;
        else if (length == 3 && (memcmp(word, "f32", 3) == 0 || memcmp(word, "c32", 3) == 0))
            options->request.f32 = true;
        else
            return error_set(error, STATUS_USAGE,
                             "'%s' is not a list of precisions; the precisions are f64 and f32", text);
        word += length;
        if (!*word) return STATUS_OK;
    }
}

/* One precision, in place of an earlier one. */
enum status read_precision(const struct option_row *row, const char *text, struct options *options,
                           struct error *error)
{
    const int single = choice("f64|f32", text);
    if (single < 0) return refuse(row, text, error);
    options->request.f64 = single == 0;
    options->request.f32 = single == 1;
    return STATUS_OK;
}

enum status read_parts(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    return distribution_read_parts(text, &options->request.distribution, error);
}

enum status read_partitions(const struct option_row *row, const char *text, struct options *options,
                            struct error *error)
{
    return partition_list_add(&options->request.distribution.partitions, text, error);
}

enum status read_network(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    struct distribution_request *request = &options->request.distribution;
    static const char measure[] = "measure";
    const char *rest = text + strlen(measure);
    request->measure = strncmp(text, measure, strlen(measure)) == 0 && (!*rest || *rest == ':');
    if (!request->measure && !strchr(text, '=') && *text) return network_find(text, &request->network, error);
    if (!request->measure) return network_read(text, &request->network, error);
    if (options->command != COMMAND_RANKS)
        return error_set(error, STATUS_USAGE,
                         "--network=%s is for ranks: 'mpirun -n 2 sparsight-mpi report --network=measure'",
                         measure);
    request->network = (struct network){0};
    if (*rest) return network_set_name(&request->network, rest + 1, error);
    return STATUS_OK;
}

enum status read_reader(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    return reader_parse(text, &options->load.from, &options->load.kind, error);
}

enum status read_base(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    int first = choice("0|1", text);
    if (first < 0) return refuse(row, text, error);
    options->load.from_zero = first == 0;
    options->load.from_one = first == 1;
    return STATUS_OK;
}

enum status read_saved(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    if (options->saved_count == RUNS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d files for --results: leave some out", RUNS_MAX);
    options->saved[options->saved_count++] = text;
    return STATUS_OK;
}

/* A matrix without a name could not be distinguished from others. */
enum status read_name(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    if (!*text) return error_set(error, STATUS_USAGE, "--%s needs a name that is not empty", row->name);
    options->load.name = text;
    return STATUS_OK;
}

/* Timing */

enum status read_tune(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    if (tune_how_find(text ? text : "forecast", &options->request.tune)) return STATUS_OK;
    return refuse(row, text, error);
}

enum status read_energy(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    char *end = NULL;
    double *seconds = &options->request.timing.energy;
    *seconds = text ? strtod(text, &end) : ENERGY_SECONDS;
    if (!text || (end != text && !*end && *seconds > 0 && *seconds <= ENERGY_SECONDS_MAX)) return STATUS_OK;
    return refuse(row, text, error);
}

enum status read_solve(const struct option_row *row, const char *text, struct options *options,
                       struct error *error)
{
    return solver_options_read(text ? text : "", &options->request.solver, error);
}

enum status read_trisolve(const struct option_row *row, const char *text, struct options *options,
                          struct error *error)
{
    return trisolves_read(text ? text : "", &options->request.trisolves, error);
}

static const char *protocol_of(int k)
{
    return k <= PROTOCOL_CMRS ? protocol_name((enum protocol)k) : NULL;
}

enum status read_protocol(const struct option_row *row, const char *text, struct options *options,
                          struct error *error)
{
    if (protocol_find(text, &options->request.timing.protocol)) return STATUS_OK;
    return guess_refuse("no protocol is called", text, strlen(text), protocol_of, error);
}

/* The user's number of samples is also the maximum, even for short samples. */
enum status read_repeat(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    enum status status = read_count(row, text, options, error);
    if (status == STATUS_OK) options->request.timing.min_seconds = 1e-9;
    return status;
}

enum status read_warmup(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    long long number;
    enum status status = read_whole(row, text, &number, error);
    if (status == STATUS_OK) options->request.timing.warmup = number ? (int)number : -1;
    return status;
}

enum status read_seed(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    long long number;
    enum status status = read_whole(row, text, &number, error);
    if (status == STATUS_OK) options->request.timing.seed = (uint64_t)number;
    return status;
}

enum status read_product(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    int which = choice(row->argument, text);
    options->request.timing.product.transposed = which == 1;
    return which < 0 ? refuse(row, text, error) : STATUS_OK;
}

enum status read_layout(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    int which = choice(row->argument, text);
    options->request.timing.product.by_rows = which == 1;
    return which < 0 ? refuse(row, text, error) : STATUS_OK;
}

enum status read_gpu(const struct option_row *row, const char *text, struct options *options,
                     struct error *error)
{
    return gpu_find(text, &options->request.gpu, error);
}

enum status read_sample(const struct option_row *row, const char *text, struct options *options,
                        struct error *error)
{
    double *share = &options->request.sample;
    return read_share(text, share) && *share > 0 && *share <= 1 ? STATUS_OK : refuse(row, text, error);
}

enum status read_threshold(const struct option_row *row, const char *text, struct options *options,
                           struct error *error)
{
    double *share = &options->threshold;
    return read_share(text, share) && *share <= 1e3 ? STATUS_OK : refuse(row, text, error);
}

enum status read_threads(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    return threads_read(text, &options->threads, error);
}

/* Kernels run with each of these numbers of threads, all other work with the largest number of all lists. */
enum status read_thread_list(const struct option_row *row, const char *text, struct options *options,
                             struct error *error)
{
    struct thread_counts *counts = &options->request.threads;
    enum status status = thread_counts_read(counts, text, error);
    if (thread_counts_max(counts) > options->threads) options->threads = thread_counts_max(counts);
    return status;
}

/* Pictures and the terminal */

enum status read_form(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    options->form = text;
    return picture_form_find(text, "", error) ? STATUS_OK : error->status;
}

enum status read_by(const struct option_row *row, const char *text, struct options *options,
                    struct error *error)
{
    int which = choice(row->argument, text);
    if (which < 0)
        return error_set(error, STATUS_USAGE, "--by is count, value, sign or owner, and not '%.40s'", text);
    options->by = (enum figure_by)which;
    return STATUS_OK;
}

enum status read_size(const struct option_row *row, const char *text, struct options *options,
                      struct error *error)
{
    int64_t numbers[2];
    if (!read_two(text, 'x', CHARACTERS_MIN, PICTURE_MAX, numbers))
        return error_set(error, STATUS_USAGE,
                         "--size=%.40s: give a width and a height, each from %d to %d, as 1200x900", text,
                         CHARACTERS_MIN, PICTURE_MAX);
    options->size[0] = (int)numbers[0];
    options->size[1] = (int)numbers[1];
    return STATUS_OK;
}

enum status read_at(const struct option_row *row, const char *text, struct options *options,
                    struct error *error)
{
    int64_t numbers[2];
    if (!read_two(text, ',', 1, INT32_MAX, numbers)) return refuse(row, text, error);
    options->at[0] = numbers[0] - 1;
    options->at[1] = numbers[1] - 1;
    return STATUS_OK;
}

enum status read_storage(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    enum status status = format_list_add(&options->storage, text, error);
    if (status != STATUS_OK || options->storage.count == 1) return status;
    return error_set(error, STATUS_USAGE, "--storage=%.60s names %d formats; a layout shows one", text,
                     options->storage.count);
}

enum status read_background(const struct option_row *row, const char *text, struct options *options,
                            struct error *error)
{
    return background_read(text, &options->background, error);
}

enum status read_picture(const struct option_row *row, const char *text, struct options *options,
                         struct error *error)
{
    int which = choice(row->argument, text);
    if (which < 0)
        return error_set(error, STATUS_USAGE, "--picture is auto, always or never, and not '%.40s'", text);
    options->picture = (enum picture_wish)which;
    return STATUS_OK;
}

enum status read_graphics(const struct option_row *row, const char *text, struct options *options,
                          struct error *error)
{
    return graphics_read(text, &options->graphics, error);
}
