#include "kernels/told.h"

#include <stddef.h>

const char *const told_words[] = {[TOLD_BYTE] = "8", [TOLD_FULL] = "full", NULL};
const char *const told_words_or_one[] = {[TOLD_BYTE] = "8", [TOLD_FULL] = "full", [TOLD_ONE] = "0", NULL};
