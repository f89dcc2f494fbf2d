#include "matrix/skeleton.h"

#include <stdlib.h>

void skeleton_free(struct skeleton *skeleton)
{
    free(skeleton->col_ptr);
    free(skeleton->diagonals);
    *skeleton = (struct skeleton){0};
}
