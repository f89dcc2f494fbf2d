/* Every fuzz target without libFuzzer: all files of its corpus, and then a fixed number of mutants of them,
 * the same ones in every run. Each target runs in a process of its own, so that one that crashes stops no
 * other, and its input is kept.
 *
 *     seeds                      a line of TAP for each target; the corpora are those of
 * $SRCDIR/tests/fuzz/corpus seeds TARGET FILE...       these inputs alone seeds -n COUNT TARGET...   this
 * number of mutants of these targets, instead of those of the table
 *
 * A seed whose name begins with "good" has to be accepted. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/mutate.h"
#include "fuzz/repair.h"
#include "fuzz/targets.h"

static const struct target {
    const char *name;
    fuzz_target *run;
    size_t bytes;
    long runs;
    fuzz_repair *repair;
} targets[] = {
#define TARGET(name, bytes, runs, repair) {#name, fuzz_##name, bytes, runs, repair},
#include "fuzz/targets.def"
#undef TARGET
};

#define TARGETS (sizeof targets / sizeof *targets)
#define INPUT_MAX ((size_t)1 << 20)

/* The messages of a target's process: its progress, and its input, which is kept if it ends there. */
struct told {
    long seeds, mutants, accepted;
    char refused[128]; /* a seed that should have been accepted */
    size_t size;
    uint8_t input[INPUT_MAX];
};

static bool read_file(const char *path, struct corpus *corpus, const char *name)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    struct seed seed = {.name = strdup(name), .bytes = malloc(INPUT_MAX)};
    struct seed *more = realloc(corpus->seeds, ((size_t)corpus->count + 1) * sizeof *more);
    if (!seed.name || !seed.bytes || !more) abort();
    seed.size = fread(seed.bytes, 1, INPUT_MAX, file);
    fclose(file);
    uint8_t *fitting = realloc(seed.bytes, seed.size + 1);
    if (fitting) seed.bytes = fitting;
    corpus->seeds = more;
    corpus->seeds[corpus->count++] = seed;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct seed *)a)->name, ((const struct seed *)b)->name);
}

/* Read a target's corpus, in the order of the files' names. */
static void read_corpus(const struct target *target, struct corpus *corpus)
{
    char folder[4096], path[8192];
    const char *source = getenv("SRCDIR");
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", source ? source : ".", target->name);
    DIR *stream = opendir(folder);
    for (struct dirent *item; stream && (item = readdir(stream));) {
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        if (item->d_name[0] != '.') read_file(path, corpus, item->d_name);
    }
    if (stream) closedir(stream);
    if (corpus->count) qsort(corpus->seeds, (size_t)corpus->count, sizeof *corpus->seeds, by_name);
}

static void free_corpus(struct corpus *corpus)
{
    for (int k = 0; k < corpus->count; k++) {
        free(corpus->seeds[k].name);
        free(corpus->seeds[k].bytes);
    }
    free(corpus->seeds);
}

static int run_one(const struct target *target, const uint8_t *bytes, size_t size, struct told *told)
{
    /* The input has an array of its own, so that reading beyond it is found. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    memcpy(told->input, copy, size);
    told->size = size;
    int accepted = fuzz_run(target->run, copy, size);
    told->accepted += accepted;
    free(copy);
    return accepted;
}

static void run_seeds(const struct target *target, const struct corpus *corpus, struct told *told)
{
    for (int k = 0; k < corpus->count; k++) {
        const struct seed *seed = &corpus->seeds[k];
        bool good = strncmp(seed->name, "good", 4) == 0;
        if (!run_one(target, seed->bytes, seed->size, told) && good)
            snprintf(told->refused, sizeof told->refused, "%s", seed->name);
        told->seeds++;
    }
}

static void run_mutants(const struct target *target, const struct corpus *corpus, long runs,
                        struct told *told)
{
    uint8_t *mutant = malloc(target->bytes);
    uint64_t state = 2026;
    if (!mutant) abort();
    for (; corpus->count && told->mutants < runs; told->mutants++) {
        size_t size = mutate(corpus, &state, mutant, target->bytes);
        if (mutate_random(&state) >> 61) size = target->repair(mutant, size, target->bytes);
        run_one(target, mutant, size, told);
    }
    free(mutant);
}

static void keep_input(const struct target *target, const struct told *told)
{
    char path[128];
    snprintf(path, sizeof path, "fuzz-%s.bin", target->name);
    FILE *file = fopen(path, "w");
    if (file) {
        fwrite(told->input, 1, told->size, file);
        fclose(file);
        printf("# the input is in %s; \"seeds %s %s\" repeats it\n", path, target->name, path);
    }
}

/* Run a target in a process of its own. Returns true if it ended well. */
static bool run_target(const struct target *target, const struct corpus *corpus, long runs, struct told *told)
{
    int status;
    memset(told, 0, sizeof *told);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        fuzz_start();
        run_seeds(target, corpus, told);
        run_mutants(target, corpus, runs, told);
        fflush(stdout);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child) return false;
    if (WIFSIGNALED(status)) printf("# ended by %s\n", strsignal(WTERMSIG(status)));
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!well) keep_input(target, told);
    if (told->refused[0]) printf("# %s was not accepted\n", told->refused);
    return well && !told->refused[0];
}

static const struct target *find(const char *name)
{
    for (size_t k = 0; k < TARGETS; k++)
        if (strcmp(targets[k].name, name) == 0) return &targets[k];
    fprintf(stderr, "seeds: there is no target %s\n", name);
    exit(2);
}

static bool report(int number, const struct target *target, long runs, struct told *told)
{
    struct corpus corpus = {0};
    read_corpus(target, &corpus);
    bool well = run_target(target, &corpus, runs < 0 ? target->runs : runs, told) && told->seeds > 0;
    printf("%s %d - %s: %ld seeds, %ld mutants, %ld accepted\n", well ? "ok" : "not ok", number, target->name,
           told->seeds, told->mutants, told->accepted);
    free_corpus(&corpus);
    return well;
}

int main(int argc, char **argv)
{
    struct told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool well = true, counted = argc > 2 && strcmp(argv[1], "-n") == 0;
    if (told == MAP_FAILED) return 2;
    if (argc > 2 && !counted) {
        struct corpus corpus = {0};
        const struct target *target = find(argv[1]);
        for (int k = 2; k < argc; k++)
            if (!read_file(argv[k], &corpus, argv[k])) return 2;
        well = run_target(target, &corpus, 0, told);
        printf("%s: %ld of %ld accepted\n", target->name, told->accepted, told->seeds);
        free_corpus(&corpus);
        return !well;
    }
    long runs = counted ? atol(argv[2]) : -1;
    if (argc > 3 || (argc > 1 && !counted)) {
        int first = counted ? 3 : 1;
        printf("1..%d\n", argc - first);
        for (int k = first; k < argc; k++)
            well = report(k - first + 1, find(argv[k]), runs, told) && well;
        return !well;
    }
    printf("1..%zu\n", TARGETS);
    for (size_t k = 0; k < TARGETS; k++)
        well = report((int)k + 1, &targets[k], runs, told) && well;
    return !well;
}
