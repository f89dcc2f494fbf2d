#include "fuzz/targets.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "fuzz/allocations.h"
#include "fuzz/memory_file.h"
#include "matrix/files/decimal.h"

void fuzz_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("wrong: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

uint8_t input_byte(struct input *input)
{
    return (uint8_t)input_number(input, 1);
}

uint64_t input_number(struct input *input, int bytes)
{
    uint64_t number = 0;
    for (int k = 0; k < bytes && input->left; k++, input->left--)
        number |= (uint64_t)*input->at++ << 8 * k;
    return number;
}

static char *copy(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    if (!text) abort();
    if (length) memcpy(text, bytes, length);
    text[length] = 0;
    return text;
}

char *input_text(struct input *input, int end)
{
    const uint8_t *found = input->left ? memchr(input->at, end, input->left) : NULL;
    size_t length = found ? (size_t)(found - input->at) : input->left;
    char *text = copy(input->at, length);
    input->at += length + (found != NULL);
    input->left -= length + (found != NULL);
    return text;
}

char *input_rest(struct input *input)
{
    char *text = copy(input->at, input->left);
    input->left = 0;
    return text;
}

void fuzz_start(void)
{
    static const char *const folders[] = {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        setenv(folders[k], "/nowhere", 1);
    threads_set(1);
    if (decimal_start(NULL)) abort();
}

int fuzz_run(fuzz_target *target, const uint8_t *data, size_t size)
{
    memory_file_hide(true);
    allocations_watch(true);
    int accepted = target(data, size);
    allocations_watch(false);
    memory_file_hide(false);
    return accepted;
}
