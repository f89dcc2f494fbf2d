/* A program of libFuzzer for the targets that FUZZ_TARGETS lists (tests/fuzz/build.sh): the name by which it
 * is called says which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/repair.h"
#include "fuzz/targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

static const struct target {
    const char *name;
    fuzz_target *run;
    fuzz_repair *repair;
} targets[] = {
#define TARGET(name, bytes, runs, repair) {#name, fuzz_##name, repair},
#include FUZZ_TARGETS
#undef TARGET
};

static const struct target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
        if (strcmp(targets[k].name, name) == 0) chosen = &targets[k];
    if (!chosen) {
        fprintf(stderr, "%s is no target of this program\n", name);
        exit(2);
    }
    fuzz_start();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_run(chosen->run, data, size);
    return 0;
}

/* One mutant of eight stays as it is, since damaged files have to be refused too. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, room);
    return seed % 8 ? chosen->repair(data, size, room) : size;
}
