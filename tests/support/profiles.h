/* Texts of GPU profiles, and a home folder without profiles. */
#ifndef SPARSIGHT_TESTS_SUPPORT_PROFILES_H
#define SPARSIGHT_TESTS_SUPPORT_PROFILES_H

#include "base/error.h"
#include "kernels/gpu/profile.h"

/* A profile that lacks only the compute capability. */
#define PROFILE_START \
    "title = My GPU\nmultiprocessors = 10\nL2 = 4 MiB\nmemory = 8 GB\nbandwidth = 500 GB/s\n"

/* A complete profile. */
#define PROFILE PROFILE_START "compute capability = 9.0\n"

/* The lines of a measured pace, without that of the launch and with it. */
#define PROFILE_PACE_BUT_LAUNCH                                                                   \
    "next launch = 900 ns\nL1 latency = 30 ns\nL2 latency = 0.25us\nmemory latency = 0.0007 ms\n" \
    "shared memory latency = 12.5 ns\nL1 bandwidth = 16 TB/s\nL2 bandwidth = 5500 GB/s\n"         \
    "read bandwidth = 4.4 TB/s\nwrite bandwidth = 4123.4 GB/s\nreduction bandwidth = 1.75 TB/s\n" \
    "meeting addition = 0.6 ns\n"

#define PROFILE_PACE "launch = 1.5 us\n" PROFILE_PACE_BUT_LAUNCH

/* Read such a text; messages call it "somewhere/my.gpu". */
enum status profile_read(const char *text, struct gpu *gpu, struct error *error);

/* Begin a group of tests as files_begin does, without profiles of the user. */
int profiles_begin(void **state);

#endif
