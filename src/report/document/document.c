#include "report/document/document.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

const char mark_signs[] = {[MARK_NONE] = ' ', [MARK_BAD] = '!', [MARK_TIE] = '=', [MARK_CACHED] = '*'};

void document_free(struct document *document)
{
    for (int k = 0; k < document->owned_count; k++)
        free(document->owned[k]);
    free(document->owned);
    free(document->blocks);
    *document = (struct document){0};
}

/* Make the document the owner of this memory, which may be NULL. Without memory for that, free it and return
 * false. */
static bool own(struct document *document, void *memory)
{
    if (memory && document->owned_count == document->owned_room) {
        int room = document->owned_room ? 2 * document->owned_room : 64;
        void **owned = memory_resize(document->owned, (size_t)room, sizeof *owned, NULL);
        if (owned) document->owned = owned;
        if (owned) document->owned_room = room;
    }
    if (memory && document->owned_count < document->owned_room) {
        document->owned[document->owned_count++] = memory;
        return true;
    }
    free(memory);
    document->failed = true;
    return false;
}

void *document_array(struct document *document, int count, size_t size)
{
    void *array = memory_zeroed((size_t)count, size, NULL);
    return own(document, array) ? array : NULL;
}

static const char *words_of(struct document *document, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *words = length < 0 ? NULL : memory_array((size_t)length + 1, 1, NULL);
    if (words) vsnprintf(words, (size_t)length + 1, format, again);
    va_end(again);
    return own(document, words) ? words : "";
}

const char *document_words(struct document *document, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = words_of(document, format, arguments);
    va_end(arguments);
    return words;
}

void document_add(struct document *document, struct block block)
{
    if (document->count == document->room) {
        int room = document->room ? 2 * document->room : 32;
        struct block *blocks = memory_resize(document->blocks, (size_t)room, sizeof *blocks, NULL);
        if (!blocks) {
            document->failed = true;
            return;
        }
        document->blocks = blocks;
        document->room = room;
    }
    document->blocks[document->count++] = block;
}

void document_section(struct document *document, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = words_of(document, format, arguments);
    va_end(arguments);
    document_add(document, (struct block){.kind = BLOCK_SECTION, .words = words});
}

void document_note(struct document *document, enum mark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *words = words_of(document, format, arguments);
    va_end(arguments);
    document_add(document, (struct block){.kind = BLOCK_NOTE, .note = {mark, words}});
}
