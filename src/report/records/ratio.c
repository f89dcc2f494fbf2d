#include "report/records/ratio.h"

#include <math.h>

struct ratio ratio_of(struct measured of, struct measured to)
{
    if (!(of.median > 0 && of.low > 0 && of.high > 0 && to.median > 0 && to.low > 0 && to.high > 0))
        return (struct ratio){NAN, NAN, NAN};
    double difference = log(of.median) - log(to.median);
    double below = hypot(log(of.median / of.low), log(to.high / to.median));
    double above = hypot(log(of.high / of.median), log(to.median / to.low));
    return (struct ratio){of.median / to.median, exp(difference - below), exp(difference + above)};
}

void ratio_mean_add(struct ratio_mean *mean, struct ratio ratio)
{
    if (!(ratio.value > 0)) return;
    double below = log(ratio.value / ratio.low), above = log(ratio.high / ratio.value);
    mean->count++;
    mean->sum += log(ratio.value);
    mean->below += below * below;
    mean->above += above * above;
}

struct ratio ratio_mean_value(const struct ratio_mean *mean)
{
    double n = mean->count;
    if (mean->count == 0) return (struct ratio){NAN, NAN, NAN};
    return (struct ratio){exp(mean->sum / n), exp((mean->sum - sqrt(mean->below)) / n),
                          exp((mean->sum + sqrt(mean->above)) / n)};
}
