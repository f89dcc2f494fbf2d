#include "base/threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/placement.h"

int threads_count(void)
{
    int count = omp_get_max_threads();
    return count > 0 ? count : 1;
}

void threads_set(int count)
{
    omp_set_num_threads(count > 0 ? count : placement_threads());
}

/* Threads created only for counting wait here until all exist. */
struct waiting_room {
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool open;
};

static void *wait_in(void *argument)
{
    struct waiting_room *room = argument;
    pthread_mutex_lock(&room->lock);
    while (!room->open)
        pthread_cond_wait(&room->over, &room->lock);
    pthread_mutex_unlock(&room->lock);
    return NULL;
}

int threads_possible(int count)
{
    struct waiting_room room = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    pthread_t others[THREADS_MAX + 1];
    int started = 0;
    if (count > THREADS_MAX + 1) count = THREADS_MAX + 1;
    while (started < count - 1 && pthread_create(&others[started], NULL, wait_in, &room) == 0)
        started++;
    pthread_mutex_lock(&room.lock);
    room.open = true;
    pthread_cond_broadcast(&room.over);
    pthread_mutex_unlock(&room.lock);
    for (int k = 0; k < started; k++)
        pthread_join(others[k], NULL);
    return started + 1;
}

void threads_fit(void)
{
    int count = threads_count(), possible = threads_possible(count);
    if (possible < count) threads_set(possible);
}

void threads_gather(int threads)
{
#pragma omp parallel num_threads(threads > 0 ? threads : threads_count())
    {
        __asm__ volatile("" ::: "memory"); /* the compiler would remove an empty region */
    }
}

#define HUGE_PAGE ((size_t)2 << 20)

void threads_place(void *array, size_t bytes)
{
    int64_t page = sysconf(_SC_PAGESIZE), pages = (int64_t)((bytes + (size_t)page - 1) / (size_t)page);
    volatile char *byte = array;
    struct placement placement;
    if (bytes < (size_t)threads_count() * HUGE_PAGE || threads_count() == 1) return;
    placement_begin(&placement, threads_count());
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < pages; k++)
        byte[k * page] = 0;
    placement_end(&placement);
}

/* The array is cut into stretches, one for each thread. In a first sweep every thread sums its stretch; one
 * thread adds these sums up; in a second sweep every thread writes the offsets of its stretch, beginning with
 * the sum of all stretches before it. */
#define STRETCHES_MAX 256

void threads_offsets(int64_t *array, int64_t n)
{
    int64_t sums[STRETCHES_MAX + 1] = {0};
    int stretches = n < 65536 ? 1 : threads_count();
    if (stretches > STRETCHES_MAX) stretches = STRETCHES_MAX;
#pragma omp parallel num_threads(stretches)
    {
#pragma omp for schedule(static, 1)
        for (int s = 0; s < stretches; s++) {
            int64_t sum = 0;
            for (int64_t k = n / stretches * s; k < (s + 1 == stretches ? n : n / stretches * (s + 1)); k++)
                sum += array[k];
            sums[s + 1] = sum;
        }
#pragma omp single
        for (int s = 0; s < stretches; s++)
            sums[s + 1] += sums[s];
#pragma omp for schedule(static, 1)
        for (int s = 0; s < stretches; s++) {
            int64_t offset = sums[s];
            for (int64_t k = n / stretches * s; k < (s + 1 == stretches ? n : n / stretches * (s + 1)); k++) {
                int64_t count = array[k];
                array[k] = offset;
                offset += count;
            }
        }
    }
    array[n] = sums[stretches];
}

enum status threads_read(const char *text, int *threads, struct error *error)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || number < 1 || number > THREADS_MAX)
        return error_set(error, STATUS_USAGE, "'%s' is not a number of threads from 1 to %d", text,
                         THREADS_MAX);
    *threads = (int)number;
    return STATUS_OK;
}

static enum status add_count(struct thread_counts *counts, int threads, struct error *error)
{
    for (int k = 0; k < counts->count; k++)
        if (counts->items[k] == threads) return STATUS_OK;
    if (counts->count == THREAD_COUNTS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d numbers of threads", THREAD_COUNTS_MAX);
    counts->items[counts->count++] = threads;
    return STATUS_OK;
}

/* Append the numbers of a word between commas: "4", or "1-4". */
static enum status add_word(struct thread_counts *counts, const char *word, int length, struct error *error)
{
    char first[32], last[32];
    int start = 0, end = 0, dash = (int)strcspn(word, "-,");
    bool range = dash < length;
    snprintf(first, sizeof first, "%.*s", range ? dash : length, word);
    snprintf(last, sizeof last, "%.*s", range ? length - dash - 1 : length, range ? word + dash + 1 : word);
    enum status status = threads_read(first, &start, error);
    if (status == STATUS_OK) status = threads_read(last, &end, error);
    if (status == STATUS_OK && end < start)
        return error_set(error, STATUS_USAGE, "'%.*s': a range of threads ascends, as in 1-4", length, word);
    for (int threads = start; status == STATUS_OK && threads <= end; threads++)
        status = add_count(counts, threads, error);
    return status;
}

enum status thread_counts_read(struct thread_counts *counts, const char *text, struct error *error)
{
    for (const char *word = text;; word++) {
        word += strspn(word, " ");
        int length = (int)strcspn(word, ","), blanks = 0;
        while (blanks < length && word[length - 1 - blanks] == ' ')
            blanks++;
        enum status status = add_word(counts, word, length - blanks, error);
        if (status != STATUS_OK) return status;
        word += length;
        if (!*word) return STATUS_OK;
    }
}

int thread_counts_max(const struct thread_counts *counts)
{
    int max = 0;
    for (int k = 0; k < counts->count; k++)
        if (counts->items[k] > max) max = counts->items[k];
    return max;
}

static int compare_counts(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

void thread_counts_sort(struct thread_counts *counts)
{
    qsort(counts->items, (size_t)counts->count, sizeof counts->items[0], compare_counts);
}

char *thread_counts_write(const struct thread_counts *counts, char *out, size_t size)
{
    const int *items = counts->items;
    size_t length = 0;
    bool dense = counts->count > 2;
    for (int k = 1; k < counts->count; k++)
        dense = dense && items[k] == items[k - 1] + 1;
    out[0] = 0;
    if (dense) {
        snprintf(out, size, "%d-%d", items[0], items[counts->count - 1]);
        return out;
    }
    /* A number has at most four digits, and a comma before it. */
    for (int k = 0; k < counts->count && length + 6 <= size; k++)
        length += (size_t)snprintf(out + length, size - length, "%s%d", k ? "," : "", items[k]);
    return out;
}
