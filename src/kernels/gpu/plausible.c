#include "kernels/gpu/plausible.h"

#include <stdio.h>

/* Minimum of measured sequential bandwidth / the vendor's bandwidth. 0.7 to 0.95 were measured from compute
 * capability 2.0 on, 0.7 with ECC bits stored in the memory itself. Rounded data sheets may be lower by some
 * percent. */
#define REACHED_LEAST 0.4
#define REACHED_MOST 1.1

/* A larger memory is no faster than a smaller one, except for the error of a median. */
#define NEARER 0.8

#define NUMBER(member) offsetof(struct gpu_pace, member)

const struct pace_bound pace_bounds[PACE_NUMBERS] = {
    {"launch", NUMBER(launch), false, 0.3e-6, 40e-6,
     "a launch on a quiet host takes 1 to 12 us, through a virtual machine or Windows up to 40"},
    {"early launch", NUMBER(early), false, 0.1e-6, 40e-6, "it takes no longer than a launch that waits"},
    {"next launch", NUMBER(next), false, 0.1e-6, 20e-6, "launches follow each other within 1 to 8 us"},
    {"L1 latency", NUMBER(l1_latency), false, 3e-9, 200e-9, "L1 answers in 15 to 100 cycles"},
    {"L2 latency", NUMBER(l2_latency), false, 20e-9, 1e-6, "L2 answers in 100 to 400 cycles"},
    {"memory latency", NUMBER(memory_latency), false, 80e-9, 3e-6, "memory answers in 300 to 1000 cycles"},
    {"shared memory latency", NUMBER(shared_latency), false, 3e-9, 200e-9,
     "shared memory answers in 15 to 60 cycles"},
    {"L1 bandwidth", NUMBER(l1), true, 1e9, 1e15, "it is 32 to 128 bytes a cycle and multiprocessor"},
    {"L2 bandwidth", NUMBER(l2), true, 1e9, 1e14, "L2 is no slower than the memory behind it"},
    {"read bandwidth", NUMBER(read), true, 1e9, 1e14, "it is at least 0.4 of what the vendor states"},
    {"write bandwidth", NUMBER(write), true, 1e9, 1e14, "it is at least 0.4 of what the vendor states"},
    {"reduction bandwidth", NUMBER(reductions), true, 1e9, 1e14, "reductions are made in L2"},
    {"meeting addition", NUMBER(meeting), false, 0.02e-9, 1e-6, "L2 adds once in some cycles"},
};

double *pace_number(struct gpu_pace *pace, const struct pace_bound *bound)
{
    return (double *)(void *)((char *)pace + bound->offset);
}

static bool beyond(double value, double least, double most)
{
    return !(value >= least && value <= most);
}

bool pace_implausible(const struct gpu_pace *pace, double vendor, char out[PLAUSIBLE_WORDS])
{
    struct gpu_pace copy = *pace;
    for (int k = 0; k < PACE_NUMBERS; k++) {
        const struct pace_bound *bound = &pace_bounds[k];
        const double value = *pace_number(&copy, bound);
        const bool memory = bound->offset == NUMBER(read) || bound->offset == NUMBER(write);
        bool wrong = beyond(value, bound->least, bound->most) ||
                     (memory && vendor > 0 && beyond(value, REACHED_LEAST * vendor, REACHED_MOST * vendor)) ||
                     (bound->offset == NUMBER(l2) && value < NEARER * pace->read) ||
                     (bound->offset == NUMBER(l1) && value < NEARER * pace->l2) ||
                     (bound->offset == NUMBER(l2_latency) && value < NEARER * pace->l1_latency) ||
                     (bound->offset == NUMBER(memory_latency) && value < NEARER * pace->l2_latency);
        const bool absent = bound->offset == NUMBER(early) && value == 0; /* older profiles lack it */
        if (!wrong || absent) continue;
        if (bound->more)
            snprintf(out, PLAUSIBLE_WORDS, "its %s came out as %.3g GB/s, but %s", bound->name, 1e-9 * value,
                     bound->reason);
        else
            snprintf(out, PLAUSIBLE_WORDS, "its %s came out as %.3g us, but %s", bound->name, 1e6 * value,
                     bound->reason);
        return true;
    }
    return false;
}
