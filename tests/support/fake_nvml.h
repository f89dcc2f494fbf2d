/* A library that stands for NVML: a GPU whose energy and power are what a test says. */
#ifndef SPARSIGHT_TESTS_SUPPORT_FAKE_NVML_H
#define SPARSIGHT_TESTS_SUPPORT_FAKE_NVML_H

/* The variable `fake_nvml` of the library. Codes of 0 are successes. */
struct fake_nvml {
    int open;                       /* nvmlInit_v2 without nvmlShutdown */
    int init_code, find_code;       /* of nvmlInit_v2, and of finding the device */
    int energy_code, power_code;    /* of the counter and of the power */
    char address[32];               /* of the last device that was looked for */
    unsigned long long millijoules; /* the counter, */
    unsigned long long step;        /* to which this is added at every reading */
    unsigned milliwatts;            /* the power */
    unsigned processes;             /* on the device */
};

#endif
