#include "report/json/counts.h"

const char *const access_keys[ACCESSES] = {[ACCESS_LOAD] = "loads",
                                           [ACCESS_STORE] = "stores",
                                           [ACCESS_REDUCTION] = "reductions",
                                           [ACCESS_ATOMIC] = "atomics"};

const struct count_key count_keys[] = {
    {"requests", offsetof(struct trace_counts, requests)},
    {"sectors", offsetof(struct trace_counts, sectors)},
    {"lines", offsetof(struct trace_counts, lines)},
    {"bytes", offsetof(struct trace_counts, bytes)},
    {"useful", offsetof(struct trace_counts, useful)},
    {"padding", offsetof(struct trace_counts, padding)},
    {"conflicts", offsetof(struct trace_counts, conflicts)},
    {NULL, 0},
};
