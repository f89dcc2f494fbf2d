/* Conversions on the device: from CSR arrays in device memory to the other formats, and to the tables that
 * kernels read beside the arrays of their format. They write the same arrays as the host's conversions
 * (struct format), element for element. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_CONVERT_CONVERT_H
#define SPARSIGHT_KERNELS_CUDA_CONVERT_CONVERT_H

#include "base/error.h"
#include "formats/format.h"
#include "kernels/gpu/conversion.h"

struct device;
struct launch;
struct work; /* in work.cuh */

/* A format that the device can convert to. */
struct device_conversion {
    const struct format *format;
    /* Returns the reason why the device does not convert to storages with these parameters; NULL if it does.
     * The function is NULL if the device always converts. */
    const char *(*refuses)(const struct parameter_values *values);
    /* Returns the bytes that a conversion moves (kernels/gpu/conversion.h). */
    struct conversion_work (*moves)(const struct parameter_values *values, double rows);
    void (*make)(struct work *work); /* enqueues the conversion; NULL in a build without CUDA */
};

/* The table; a NULL format ends it. */
extern const struct device_conversion device_conversions[];

/* These are in ell.cu, sell.cu and so on. */
void convert_coo(struct work *work);
void convert_ell(struct work *work);
void convert_hyb(struct work *work);
void convert_jds(struct work *work);
void convert_cmrs(struct work *work);
void convert_sell(struct work *work);
void convert_dia(struct work *work);

/* The functions of struct device_type; cuda_convert is in convert.cu. */
enum status cuda_converts(const struct format_choice *choice, double rows, struct conversion_work *moved,
                          struct error *error);
enum status cuda_convert(struct device *device, const struct storage *csr, struct storage *to,
                         double *seconds, struct error *error);

/* These are struct kernel's `remake`; they are in convert.cu. */
#define CUDA_REMAKE(kernel)                                                                  \
    enum status cuda_remake_##kernel(const struct launch *launch, const struct storage *csr, \
                                     double *seconds, struct error *error)
CUDA_REMAKE(csr_balanced);
CUDA_REMAKE(ell_bounded);
CUDA_REMAKE(hyb_fused);
CUDA_REMAKE(jds);
CUDA_REMAKE(sell);

#endif
