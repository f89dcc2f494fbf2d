/* The kernels whose times Advice compares as bars: the advised one, the runner-up, the fastest that reads
 * CSR, the one that the reason compares, and that of a library; each with its forecast divided among the
 * terms of the model. */
#ifndef SPARSIGHT_SESSION_ADVICE_BARS_H
#define SPARSIGHT_SESSION_ADVICE_BARS_H

#include "session/advice.h"

/* Why a kernel has a bar: an OR of these. */
enum advice_role {
    ROLE_ADVISED = 1,
    ROLE_RUNNER_UP = 2, /* the next compared candidate */
    ROLE_CSR = 4,       /* advice->csr */
    ROLE_COMPARED = 8,  /* advice->why.rival */
    ROLE_LIBRARY = 16,  /* advice->library */
};
#define ADVICE_ROLES 5

#define ADVICE_BARS 5

struct advice_bar {
    unsigned roles;
    int candidate;    /* index; of a library without a candidate, that of the kernel it is forecast from */
    const char *name; /* with its parameters */
    const char *like; /* the kernel from which it is forecast; "": itself */
    const struct prediction *prediction; /* NULL: none */
    double forecast, timed;              /* seconds of a product; NaN: unknown */
    double share[BOUNDS];                /* of the forecast: they and `rest` add up to it */
    double rest;                         /* the share of no term (explain_whole) */
};

/* The word for a role: "runner-up". */
const char *advice_role_word(enum advice_role role);

/* Find the bars, the advised kernel first. A kernel with several roles has one bar. Returns their number. */
int advice_bars(const struct advice *advice, struct advice_bar bars[ADVICE_BARS]);

/* True if a term has this share or more of the forecast of one of the bars. */
bool advice_bars_have(const struct advice_bar *bars, int count, enum bound bound, double least);

/* The length of a bar of a common scale: the forecast, or the measured time of a kernel without a
 * forecast. */
double advice_bar_seconds(const struct advice_bar *bar);

#endif
