#include "matrix/orders/write.h"

#include "matrix/files/compress.h"
#include "matrix/orders/file.h"

enum status writing_run(const struct writing *writing, FILE *file, const char *path,
                        struct progress *progress, struct error *error)
{
    struct compressor compressor;
    enum status status = compressor_open(&compressor, file, path, error);
    if (status != STATUS_OK) return status;
    if (writing->permutation)
        status = permutation_write(compressor.file, writing->permutation, writing->comment, progress, error);
    else
        status = writing->writer->write(compressor.file, writing->matrix, writing->comment, progress, error);
    enum status closed = compressor_close(&compressor, error);
    return status == STATUS_OK ? closed : status;
}
