#include "report/sections.h"

#include <string.h>

#include "base/guess.h"
#include "session/case.h"

#define LENGTHS (SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS)

const struct report_section report_sections[] = {
    {.name = "matrix", .summary = "size, kind and source; in every report", .bit = SECTION_MATRIX},
    {.name = "structure",
     .summary = "bandwidths, symmetry, diagonals, components, dense blocks",
     .bit = SECTION_STRUCTURE,
     .needs = SESSION_STRUCTURE,
     .wants = SESSION_COMPONENTS | SESSION_DENSE_BLOCKS},
    {.name = "lengths", .summary = "lengths of rows and columns", .bit = SECTION_LENGTHS, .needs = LENGTHS},
    {.name = "values",
     .summary = "range, norms and sizes of values",
     .bit = SECTION_VALUES,
     .needs = SESSION_VALUES | SESSION_STRUCTURE},
    {.name = "formats",
     .summary = "sizes and criteria of the storage formats",
     .bit = SECTION_FORMATS,
     .needs = SESSION_SIZES},
    {.name = "advice",
     .summary = "forecasts, and the recommended kernel",
     .bit = SECTION_ADVICE,
     .needs = LENGTHS},
    {.name = NULL},
};

static const char *section_name(int k)
{
    return report_sections[k].name;
}

enum status sections_read(const char *list, unsigned *sections, struct error *error)
{
    for (const char *word = list;; word++) {
        const size_t length = strcspn(word, ",");
        const struct report_section *section = report_sections;
        while (section->name && (strlen(section->name) != length || memcmp(section->name, word, length) != 0))
            section++;
        if (!section->name) return guess_refuse("no section is called", word, length, section_name, error);
        *sections |= section->bit;
        word += length;
        if (!*word) return STATUS_OK;
    }
}

bool sections_have(unsigned sections, unsigned bit)
{
    return sections == 0 || (sections & bit);
}
