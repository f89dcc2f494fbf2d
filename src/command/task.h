/* Loading a matrix, and computing what a command needs of it. */
#ifndef SPARSIGHT_COMMAND_TASK_H
#define SPARSIGHT_COMMAND_TASK_H

#include "base/error.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "report/report.h"
#include "session/session.h"

/* The job that loads a matrix, and computes what a report shows of it. */
struct task {
    struct session session;
    const char *name;
    const struct load_options *options;
    const struct report_request *request; /* NULL if there is no report: the matrix is only loaded */
    /* What else is to be done with the session; NULL: nothing. */
    enum status (*prepare)(struct session *session, void *argument, struct progress *progress,
                           struct error *error);
    void *argument;                 /* for `prepare` */
    struct order_choice *order;     /* to bring it into; NULL if it is to stay as it is */
    struct permutation permutation; /* of that order */
    struct matrix reordered;        /* the matrix in that order */
};

/* Run the task and wait for it, with the progress line. The caller frees the task with task_free, also after
 * failure. */
enum status finish_task(struct task *task, struct error *error);

void task_free(struct task *task);

#endif
