/* If the collection is there: every format stores every real matrix and gives it back exactly, or is refused
 * for its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "matrix/matrix.h"
#include "support/files.h"
#include "support/trials.h"

/* Many storages in ELL and DIA exceed this size; most in other formats do not. */
#define LIMIT ((size_t)96 << 20)

/* Larger matrices are stored in the variants of formats alone. */
#define COMBINED_MAX 30000

static void check_trial(struct trial *trial, int *refused)
{
    struct storage plan, storage;
    if (!trial_plan(trial, &plan)) return;
    trial->options.limit = LIMIT;
    if (storage_size(&plan).peak > LIMIT) {
        trial_refuse(trial, &plan);
        ++*refused;
    } else {
        trial_convert(trial, &storage);
        trial_round(trial, &storage);
        storage_free(&storage);
    }
    storage_free(&plan);
}

/* Another test covers files that cannot be read. */
static void check_file(const char *path, int *loaded, int *refused)
{
    const struct load_options options = {0};
    struct sample sample;
    struct matrix matrix;
    struct requests requests = requests_all();
    if (matrix_load(path, &options, NULL, &matrix, NULL) == STATUS_OK) {
        ++*loaded;
        snprintf(sample.name, sizeof sample.name, "%.90s", matrix.name);
        sample.a = matrix.csr;
        for (int r = 0; r < requests.count; r++) {
            if (requests.items[r].origin != ORIGIN_VARIANT && csr_nnz(&sample.a) > COMBINED_MAX) continue;
            if (requests.items[r].origin == ORIGIN_SWEEP) continue;
            struct trial trial = {.sample = &sample, .request = &requests.items[r], .threads = 1};
            trial.options.precision = (r + *loaded) % 2 ? PRECISION_F32 : PRECISION_F64;
            check_trial(&trial, refused);
        }
        matrix_free(&matrix);
    }
    requests_free(&requests);
}

static void check_folder(const char *folder, int *loaded, int *refused)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[8192];
        if (!strstr(entry->d_name, ".mtx") && !strstr(entry->d_name, ".tar")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_file(path, loaded, refused);
    }
    if (list) closedir(list);
}

static void real_matrices_come_back(void **state)
{
    int loaded = 0, refused = 0;
    char odd[8192];
    check_folder(files_matrices(), &loaded, &refused);
    snprintf(odd, sizeof odd, "%s/odd", files_matrices());
    check_folder(odd, &loaded, &refused);
    assert_true(loaded > 0);
    print_message("# %d matrices, %d times a format was too large\n", loaded, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_matrices_come_back),
    };
    /* cmocka's own skip() counts as a failure in TAP. */
    if (!files_matrices()) {
        puts("1..0 # SKIP no real matrices (SPARSIGHT_MATRICES)");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
