/* The counts of kernels for products other than y = A x, which reports do not show, for
 * tests/forecast/products.py.
 *
 * product_counts GPU MATRIX PRODUCT...: each PRODUCT is A or At, the number of vectors, and their layout:
 * At,8,rows. A line of JSON: of each product an object that has of each kernel, with its defaults and in
 * double precision, two arrays in the order of COUNTS in model.py: with warm caches, and with flushed ones;
 * and the kind whose pace it takes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/products.h"
#include "kernels/list.h"
#include "session/session.h"

static struct product product_of(const char *text)
{
    const char *columns = strchr(text, ',');
    return (struct product){.transposed = strncmp(text, "At", 2) == 0,
                            .columns = columns ? atoi(columns + 1) : 1,
                            .by_rows = strstr(text, ",rows") != NULL};
}

static void print_counts(const struct estimate *estimate, bool cold)
{
    const struct memory_traffic *memory = &estimate->memory;
    const struct estimate_steps *steps = &estimate->steps;
    const double counts[] = {(double)estimate->accesses[ACCESS_LOAD].sectors,
                             memory_sum(memory->misses),
                             memory_sum(memory->sectors),
                             memory_sum(cold ? memory->reads : memory->warm_reads),
                             cold ? memory->writes : memory->warm_writes,
                             (double)estimate->accesses[ACCESS_REDUCTION].sectors,
                             (double)estimate->operands[OPERAND_VALUES].bytes / estimate->value_bytes,
                             (double)steps->launches,
                             (double)steps->longest,
                             0,
                             (double)steps->hottest,
                             steps->requests,
                             0,
                             steps->turns,
                             0,
                             0,
                             (double)estimate->accesses[ACCESS_LOAD].lines,
                             0,
                             0,
                             (double)steps->longest_hits,
                             (double)steps->longest_missed,
                             memory->served};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        printf("%s%.17g", k ? ", " : cold ? ", [" : "[", counts[k]);
    printf("]");
}

static enum status count_product(struct session *session, const struct gpu *gpu,
                                 const struct kernel_list *list, struct memory_reuse *reuse, const char *text,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    bool some = false;
    printf("\"%s\": {", text);
    for (int k = 0; k < list->count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &list->choices[k];
        struct kernel_choice resolved = *choice;
        struct estimate estimate;
        struct error reason = {0};
        const struct storage *plan = NULL;
        if (!choice->kernel->product_way ||
            pool_plan(&session->shown->pool, &choice->format, 0, NULL, &plan, &reason) != STATUS_OK)
            continue;
        status =
            product_estimate(choice, plan, gpu, product_of(text), reuse, &estimate, &resolved, NULL, error);
        if (!estimate.there) continue;
        printf("%s\"%s/%s\": [", some ? ", " : "", choice->kernel->backend->name, choice->kernel->name);
        print_counts(&estimate, false);
        print_counts(&estimate, true);
        printf(", \"%s\"]", product_kind_name((enum product_kind)estimate.kind));
        some = true;
    }
    printf("}");
    return status;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct session session = {0};
    struct kernel_list list = {0};
    struct gpu gpu;
    if (argc < 4) {
        fprintf(stderr, "usage: product_counts GPU MATRIX PRODUCT...\n");
        return 2;
    }
    enum status status = session_load(&session, argv[2], &(struct load_options){0}, NULL, &error);
    if (status == STATUS_OK) status = gpu_find(argv[1], &gpu, &error);
    if (status == STATUS_OK) status = kernel_list_add(&list, "all", &error);
    struct memory_reuse reuse = {.a = session.shown ? &session.shown->matrix.csr : NULL};
    printf("{");
    for (int k = 3; k < argc && status == STATUS_OK; k++) {
        if (k > 3) printf(", ");
        status = count_product(&session, &gpu, &list, &reuse, argv[k], &error);
    }
    printf("}\n");
    kernel_list_free(&list);
    session_free(&session);
    if (status == STATUS_OK) return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
