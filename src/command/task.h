/* Loading a matrix, and computing the numbers that a command needs. */
#ifndef SPARSIGHT_COMMAND_TASK_H
#define SPARSIGHT_COMMAND_TASK_H

#include "base/error.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "report/report.h"
#include "session/session.h"

/* The job that loads a matrix, and computes the content of its report. */
struct task {
    struct session session;
    const char *name;
    const struct load_options *options;
    const struct report_request *request; /* NULL if there is no report: the matrix is only loaded */
    /* Further work with the session; NULL: none. */
    enum status (*prepare)(struct session *session, void *argument, struct progress *progress,
                           struct error *error);
    void *argument;                 /* for `prepare` */
    struct order_choice *order;     /* the new order; NULL: unchanged */
    struct permutation permutation; /* of that order */
    struct matrix reordered;        /* the matrix in that order */
};

/* Run the task and wait for it, with the progress line. The caller frees the task with task_free, also after
 * failure. */
enum status finish_task(struct task *task, struct error *error);

void task_free(struct task *task);

#endif
