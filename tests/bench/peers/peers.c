#include "bench/peers/peers.h"

#include "config.h"

enum status peers_begin(struct peer peers[PEERS_MAX], int *count, struct error *error)
{
    enum status status = STATUS_OK;
    *count = 0;
    peer_plain(&peers[(*count)++]);
#ifdef HAVE_LIBRSB
    if (status == STATUS_OK) status = peer_librsb_begin(&peers[(*count)++], error);
#endif
#ifdef HAVE_GRAPHBLAS
    if (status == STATUS_OK) status = peer_graphblas_begin(&peers[(*count)++], error);
#endif
    (void)error;
    return status;
}

void peers_end(void)
{
#ifdef HAVE_LIBRSB
    peer_librsb_end();
#endif
#ifdef HAVE_GRAPHBLAS
    peer_graphblas_end();
#endif
}

const char *peers_missing(void)
{
#if !defined HAVE_LIBRSB && !defined HAVE_GRAPHBLAS
    return "librsb and GraphBLAS were not there when this was configured; on Debian: "
           "apt-get install librsb-dev libsuitesparse-dev, then configure and make again";
#elif !defined HAVE_LIBRSB
    return "librsb was not there when this was configured; on Debian: apt-get install librsb-dev, then "
           "configure and make again";
#elif !defined HAVE_GRAPHBLAS
    return "GraphBLAS was not there when this was configured; on Debian: apt-get install libsuitesparse-dev, "
           "then configure and make again";
#else
    return NULL;
#endif
}
