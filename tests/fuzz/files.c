/* Fuzz target (libFuzzer): any bytes are read by a reader, which the first of them chooses, or the variable
 * READER names. Nothing may crash, and what is read must be a valid matrix. Readers that go through the HDF5
 * library are left out, since that crashes by itself. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/threads.h"
#include "matrix/files/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct matrix matrix;
    int count = 0;
    const char *wanted = getenv("READER");
    const struct reader *those[32], *named = wanted ? reader_find(wanted, NULL) : NULL;
    for (int k = 0; readers[k] && count < 32; k++)
        if (strcmp(readers[k]->name, "bsp") != 0 && strcmp(readers[k]->name, "mat7.3") != 0)
            those[count++] = readers[k];
    if (wanted && !named) exit(1);
    if (size < 1) return -1;
    threads_set(1);
    /* One number more than there are readers: then the contents choose. */
    int chosen = data[0] % (count + 1);
    const struct load_options options = {.limit = (size_t)64 << 20,
                                         .lenient = data[0] > 127,
                                         .names = data[0] % 2 == 1,
                                         .from = named            ? named
                                                 : chosen < count ? those[chosen]
                                                                  : NULL};
    int descriptor = memfd_create("fuzz", 0);
    if (descriptor < 0 || write(descriptor, data + 1, size - 1) != (ssize_t)(size - 1)) exit(1);
    bool hdf5 = memmem(data, size, "\x89HDF", 4) != NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (!hdf5 && matrix_load(path, &options, NULL, &matrix, NULL) == STATUS_OK) {
        if (csr_validate(&matrix.csr, NULL)) abort();
        matrix_free(&matrix);
    }
    close(descriptor);
    return 0;
}
