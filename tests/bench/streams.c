/* How much longer a stream of a file's entries takes than loading them: CPU seconds of all threads and
 * elapsed seconds of loading a matrix (matrix_load) and of streaming it with all analyses of a stream
 * (analysis/streamed.h), by turns in one run, with the files in the page cache. It prints the median of each,
 * per entry, and the ratios.
 *
 * usage: bench_streams REPETITIONS THREADS FILE... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analysis/streamed.h"
#include "base/job.h"
#include "base/threads.h"
#include "matrix/matrix.h"

#define REPETITIONS_MAX 100

struct took {
    double cpu[REPETITIONS_MAX], wall[REPETITIONS_MAX];
};

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Load or stream once. Returns the number of entries. */
static int64_t run_once(const char *path, bool stream, int k, struct took *took)
{
    struct error error = {0};
    struct matrix matrix = {0};
    struct streamed streamed;
    struct load_options options = {0};
    streamed_start(&streamed, 0);
    streamed.taker.always = true;
    if (stream) options.taker = &streamed.taker;
    const double cpu = cpu_seconds(), wall = clock_seconds();
    enum status status = matrix_load(path, &options, NULL, &matrix, &error);
    if (status == STATUS_OK && stream) status = streamed_finish(&streamed, NULL, &error);
    took->cpu[k] = cpu_seconds() - cpu;
    took->wall[k] = clock_seconds() - wall;
    if (status != STATUS_OK) {
        char text[2048];
        fprintf(stderr, "bench_streams: %s\n", error_text(&error, text, sizeof text));
        exit(1);
    }
    const int64_t nnz = stream ? streamed.nnz : csr_nnz(&matrix.csr);
    streamed_free(&streamed);
    matrix_free(&matrix);
    return nnz;
}

int main(int argc, char **argv)
{
    static struct took took[2];
    const int repetitions = argc > 2 ? atoi(argv[1]) : 0;
    if (argc < 4 || repetitions < 1 || repetitions > REPETITIONS_MAX || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: bench_streams REPETITIONS THREADS FILE...\n");
        return 2;
    }
    threads_set(atoi(argv[2]));
    printf("%-40s %10s %9s %9s %6s %6s\n", "file", "entries", "load ns", "stream ns", "CPU", "wall");
    for (int f = 3; f < argc; f++) {
        int64_t nnz = run_once(argv[f], false, 0, &took[0]);
        for (int k = 0; k < repetitions; k++)
            for (int stream = 0; stream < 2; stream++)
                run_once(argv[f], stream, k, &took[stream]);
        const double load = median(took[0].cpu, repetitions), streamed = median(took[1].cpu, repetitions);
        const char *name = strrchr(argv[f], '/');
        printf("%-40s %10" PRId64 " %9.2f %9.2f %6.2f %6.2f\n", name ? name + 1 : argv[f], nnz,
               1e9 * load / (double)nnz, 1e9 * streamed / (double)nnz, streamed / load,
               median(took[1].wall, repetitions) / median(took[0].wall, repetitions));
        fflush(stdout);
    }
    return 0;
}
