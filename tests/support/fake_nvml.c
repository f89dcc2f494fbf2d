/* A fake NVML. With LACKING it has no counter of energy, not even the function. */
#include "support/fake_nvml.h"

#include <stdio.h>
#include <string.h>

extern struct fake_nvml fake_nvml;
struct fake_nvml fake_nvml;

int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    fake_nvml.open += fake_nvml.init_code == 0;
    return fake_nvml.init_code;
}

int nvmlShutdown(void);
int nvmlShutdown(void)
{
    fake_nvml.open--;
    return 0;
}

const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code)
{
    return code == 3 ? "Not Supported" : "Unknown Error";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    snprintf(fake_nvml.address, sizeof fake_nvml.address, "%s", address);
    *device = &fake_nvml;
    return fake_nvml.find_code;
}

#ifndef LACKING
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    fake_nvml.millijoules += fake_nvml.step;
    *millijoules = fake_nvml.millijoules;
    return fake_nvml.energy_code;
}
#endif

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    *milliwatts = fake_nvml.milliwatts;
    return fake_nvml.power_code;
}

/* Without room for the list it reports that (7), unless the list is empty. */
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *infos);
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *infos)
{
    unsigned room = *count;
    *count = fake_nvml.processes;
    return *count > room ? 7 : 0;
}
