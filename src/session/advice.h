/* Advice: the recommended format and kernel for this matrix by number of products, on this processor and on a
 * GPU, from times of kernels that were run and forecasts of others. */
#ifndef SPARSIGHT_SESSION_ADVICE_H
#define SPARSIGHT_SESSION_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/forecast/explain.h"
#include "base/error.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"
#include "matrix/orders/order.h"
#include "session/results.h"

struct matrix_case;
struct session;

/* The hardware of kernels. */
enum advice_place {
    ADVICE_CPU,       /* this processor */
    ADVICE_RANKS,     /* the ranks of an MPI program that ran kernels together */
    ADVICE_GPU,       /* the GPU of the estimates; measured if kernels ran on it */
    ADVICE_OTHER_GPU, /* the GPU that ran kernels, if the estimates are for another one */
    ADVICE_PLACES
};

/* The machine's name in reports: "cpu", "ranks", "gpu", "other_gpu". */
const char *advice_place_key(enum advice_place place);

/* The article before the machine's name in sentences: "the ", or "". */
const char *advice_article(enum advice_place place);

/* Advice is given for 1, 10, 100, ... products. */
#define ADVICE_COUNTS 7

/* Conversion cost of formats that do not state theirs (struct format): multiple of the time to read CSR and
 * write the format at the host's copy bandwidth. */
#define ADVICE_CONVERT_COST 8

/* A candidate kernel. Unknown seconds are NaN, but `seconds` and `setup` are known. */
struct advice_candidate {
    const struct results *results; /* its source, and its result there; owned by the caller */
    const struct result *result;
    const struct prediction *prediction; /* its forecast for this machine; NULL: none */
    double timed;                        /* measured seconds of a product on this machine */
    double seconds;                      /* of a product, for comparisons */
    bool measured;    /* `seconds` was measured; false: forecast; the same for all compared candidates */
    double low, high; /* interval of this time: the 95% interval of the median if it is measured, else the 80%
                         interval of the forecast */
    bool compared;    /* with the others (advice_compare_by) */
    double setup;     /* convert + upload */
    double convert; /* seconds, including data that the kernel derives from CSR; 0 if it reads CSR directly */
    bool convert_measured;  /* else estimated from the sizes: advice_convert_seconds on the host, and
                               advice_device_convert_seconds on a GPU */
    bool convert_on_device; /* a GPU converts from uploaded CSR, which takes less time in total than
                               converting on the host and uploading the result */
    double upload;          /* seconds, of CSR if convert_on_device, else of the storage; 0 on a processor */
    bool upload_measured;
    size_t bytes;  /* of the storage */
    double memory; /* bytes of the storage, of `aside`, of x and y in the memory of the processor or GPU */
    double aside;  /* bytes of data that the kernel derives from the storage and keeps beside it: its
                      columns in fewer bits, a transposed copy; NaN: unknown, as of libraries */
    bool csr;      /* the kernel reads CSR directly (kernel_takes_csr) */
    bool like;     /* its forecast comes from a similar kernel */
    int64_t break_even; /* number of products from which it is at least as fast as staying with CSR
                           (advice->csr); 0: from the first; -1: never */
    int64_t break_even_low,
        break_even_high; /* the same at the end of the interval of the ratio of the two times */
};

/* The best choice for a number of products: the minimum of setup + products x seconds, or the first candidate
 * if it reads CSR directly and is tied with the minimum. */
struct advice_at {
    int64_t products;
    int best;       /* of the candidates */
    double seconds; /* of all products, with the setup */
    int *tied;      /* the candidates that are tied with it over this number of products, the best first; */
    int ties;       /* number of ties; in the advice's own memory */
};

/* The gain of another order of rows and columns that the session has. Times of both orders are compared if
 * both were measured, or else the forecasts of both. */
struct advice_order {
    const char *name;         /* "rcm"; the case's */
    double seconds;           /* of a product of the best kernel there */
    double here;              /* the same in the order of the advice; NaN: no time of the same kind */
    bool measured;            /* these times; else forecast */
    double timed, timed_here; /* measured times of the two kernels; NaN: none */
    double saved;   /* share of a product's time that it saves; negative: that it costs; NaN without `here` */
    double setup;   /* seconds for finding and making the order */
    double permute; /* seconds for permuting x and y for one product, if each product needs that */
    int64_t break_even; /* products after which the order has paid off, if x and y stay permuted; -1: never */
    char kernel[CHOICE_NAME]; /* the best one there */
};

#define ADVICE_ORDERS 8

/* The fastest product in the other precision compared with this one: both measured, or else both
 * forecast. */
struct advice_precision {
    double seconds, here; /* NaN: there are not two times of one kind */
    bool measured;
};

/* The fastest product in the other state of the caches: flushed before each product, or warm. Both times are
 * forecasts. */
struct advice_caches {
    double seconds, here;          /* NaN: no forecasts of both */
    char kernel[CHOICE_NAME];      /* the best one in the other state, */
    char kernel_here[CHOICE_NAME]; /* and in that of the advice */
};

/* The circumstances that would change the advice, a sentence or more each; "" if none is known. */
enum advice_change { CHANGE_PRODUCTS, CHANGE_ORDER, CHANGE_PRECISION, CHANGE_CACHES, CHANGE_MEMORY, CHANGES };
#define ADVICE_CHANGE 512

/* The best kernel that can be called from a library: cuSPARSE's on a GPU, oneMKL's or another one's on a
 * processor. */
struct advice_library {
    const struct kernel *kernel; /* NULL: none is known */
    char name[CHOICE_NAME];      /* with its parameters */
    double seconds;              /* of a product */
    bool measured;               /* else forecast */
    const char *like;            /* the similar kernel of its forecast; "": none */
    double ratio; /* its time / that of the recommended kernel, both measured, or both forecast; NaN: no two
                     such times */
    bool looked_for; /* this machine was searched for the library; always true on a GPU */
};

/* The reason why the rival takes longer than the recommended kernel: the terms of their forecasts that
 * account for two thirds of the difference or more (analysis/forecast/explain.h). */
struct advice_why {
    int rival;                /* index of the candidate that is compared with the first; -1: none */
    double difference;        /* seconds, of the kind that the candidates are compared by */
    bool there;               /* both are forecast, so that `terms` is known */
    struct explanation terms; /* of the two forecasts */
    enum bound named[BOUNDS]; /* the terms that the reason names; */
    int count;                /* 0: they do not explain the difference, and the reason says so */
};

/* The advice for one machine. advices_free frees it. */
struct advice {
    bool there; /* false if no kernel of this machine is known: then nothing below is meaningful */
    enum advice_place place;
    char machine[GPU_LABEL]; /* "this processor", "4 ranks with 1 thread each", "NVIDIA H200 SXM", "NVIDIA
                                A100 SXM 80 GB (constants derived)" */
    enum precision precision;
    const char *order; /* of the case */
    struct advice_candidate
        *candidates; /* compared candidates, the fastest product first; but the fastest that reads CSR
                        directly precedes it if advice_prefers it; then the others; owned */
    int count;
    int compared;                       /* number of compared candidates: their times are of one kind */
    bool by_measured;                   /* times that were measured; else forecasts */
    int *ties;                          /* the array that at[].tied points into; owned */
    int measured;                       /* number of timed candidates */
    int fastest;                        /* of those; -1: none was */
    bool cold;                          /* the caches were flushed before each product */
    const struct foresight *foresight;  /* the foresight of the others; the case's */
    struct advice_at at[ADVICE_COUNTS]; /* for 1, 10, 100, ... products */
    int best;                           /* for any large number of products: 0, the first */
    int csr;                            /* the fastest that reads CSR; -1: none */
    int64_t from;                       /* `best` is the best of all from this number of products on */
    struct advice_order orders[ADVICE_ORDERS]; /* the other orders that the session has */
    int order_count;
    struct advice_precision other_precision;
    struct advice_caches other_caches;
    struct advice_library library;
    struct advice_why why;
    char verdict[512]; /* one sentence: the kernel, the time of a product, and the number of products from
                          which it is best */
    char reason[1024]; /* the reason in one or two sentences, from numbers of this matrix; "" if the numbers
                        show none
                        */
    char call[512];    /* the kernel of a library to call, if one is known; else "" */
    char changes[CHANGES][ADVICE_CHANGE]; /* the circumstances that would change it, by kind */
    char change[1024];                    /* the same in one text, except CHANGE_CACHES */
};

/* The forecast seconds of a product; NaN if there is none. */
double advice_forecast(const struct advice_candidate *candidate);

/* The ratio of two candidates' times: both measured, or else both forecast; NaN if they have no times of one
 * kind. *measured becomes the kind. */
double advice_ratio(const struct advice_candidate *candidate, const struct advice_candidate *other,
                    bool *measured);

/* The seconds of this number of products, setup included. */
double advice_seconds(const struct advice_candidate *candidate, int64_t products);

/* True if the two are tied for this number of products: by the interval of the ratio of their times, either
 * may be faster. */
bool advice_tied(const struct advice_candidate *a, const struct advice_candidate *b, int64_t products);

/* The same for a single product, without setup. */
bool advice_tied_alone(const struct advice_candidate *a, const struct advice_candidate *b);

/* True if a candidate that reads CSR directly is preferred to the other, which is faster: both are measured,
 * and tied. By forecasts it is preferred only if it is as fast, since conversion is part of the setup, and a
 * longer forecast that is tied is still longer on average. On the 41 matrices of the fit, each forecast by
 * constants that were fitted without it, the kernel with the shortest forecast reaches 0.987 of the best one
 * in geometric mean and 0.88 at worst, cuSPARSE included. Preferring CSR within 2% or 10% reaches 0.986 and
 * 0.88, and wherever the two are tied 0.968 and 0.73. */
bool advice_prefers(const struct advice_candidate *csr, const struct advice_candidate *other,
                    int64_t products);

/* The number of products from which the candidate is at least as fast as the other one; 0: always; -1: never
 * permanently. */
int64_t advice_break_even(const struct advice_candidate *candidate, const struct advice_candidate *other);

/* The same at an end of the interval of the ratio of their times, with the same setups. */
void advice_break_even_ends(const struct advice_candidate *candidate, const struct advice_candidate *other,
                            int64_t *low, int64_t *high);

/* The estimated seconds to convert CSR of `csr_bytes` to a kernel's storage of `bytes`, if this was not
 * measured:
 *
 *     (convert_cost (csr_bytes + bytes) + prepare_cost csr_bytes) / copy
 *
 * with the format's cost, which is 0 for CSR, the kernel's cost, which is 0 if it reads only the format's
 * arrays, and the host's copy bandwidth, or an assumed one if copy is 0. */
double advice_convert_seconds(const struct kernel *kernel, double csr_bytes, double bytes, double copy);

/* The estimated seconds that a GPU needs to convert CSR in its memory to a kernel's storage and to the
 * additional data that the kernel reads, if this was not measured: from the bytes moved and the GPU's profile
 * (conversion_seconds). NaN if only the host converts. 0 for CSR. */
double advice_device_convert_seconds(const struct kernel_choice *choice, const struct gpu *gpu, double rows,
                                     double csr_bytes, double bytes);

/* The advice for all machines. {0}: none. */
struct advices {
    struct advice items[ADVICE_PLACES];
};

/* The request for advice. */
struct advice_question {
    enum precision precision;
    struct product product;
    bool cold;  /* the caches are flushed before each product */
    bool early; /* also from the first forecasts of an incomplete foresight */
};

/* Return the question that the results of a case answer in this precision. */
struct advice_question advice_question_of(const struct matrix_case *of, enum precision precision);

/* Make the advice for a case of the session: from its results and its runs, if they answer the question, and
 * from the foresight of that product (case_foresight), if it is complete. Early advice uses the groups of an
 * incomplete foresight, without comparing orders. A kernel in several of these counts once: measurements
 * precede forecasts, and the last run precedes others. This computes nothing slow. The advice points into the
 * case and must be made again when its runs change. STATUS_MEMORY. Free with advices_free. */
enum status session_advise(const struct session *session, const struct matrix_case *matrix_case,
                           struct advice_question question, struct advices *advices, struct error *error);

void advices_free(struct advices *advices);

#endif
