#include "matrix/vector.h"

#include <stdlib.h>

void vector_free(struct vector *vector)
{
    free(vector->real);
    free(vector->imaginary);
    *vector = (struct vector){0};
}
