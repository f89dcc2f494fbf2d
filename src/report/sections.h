/* The sections that a report has by default, and a list of those that it is to have. */
#ifndef SPARSIGHT_REPORT_SECTIONS_H
#define SPARSIGHT_REPORT_SECTIONS_H

#include <stdbool.h>

#include "base/error.h"

/* Bits of a set of sections. */
enum {
    SECTION_MATRIX = 1, /* in every report */
    SECTION_STRUCTURE = 2,
    SECTION_LENGTHS = 4,
    SECTION_VALUES = 8,
    SECTION_FORMATS = 16,
    SECTION_ADVICE = 32,
};

/* A section, and the parts of a session (session/case.h) that it is made of. */
struct report_section {
    const char *name;
    const char *summary;
    unsigned bit;
    unsigned needs;
    unsigned wants; /* parts that are left out if memory does not suffice for them */
};

/* The sections in the order of the report; one without a name is behind the last. */
extern const struct report_section report_sections[];

/* Add the sections of a list, "structure,advice", to a set. STATUS_USAGE names the sections. */
enum status sections_read(const char *list, unsigned *sections, struct error *error);

/* True if a set has a section. The empty set stands for all. */
bool sections_have(unsigned sections, unsigned bit);

#endif
