#include "analysis/forecast/explain.h"

#include <math.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "analysis/forecast/time.h"

/* Slopes change fastest near the ends of the path from one prediction to the other, where a term may vanish.
 * There
 *
 *     t = s^3 (10 - 15 s + 6 s^2),    dt/ds = 30 s^2 (1 - s)^2
 *
 * puts points close together. s goes from 0 to 1 in this number of pieces. Then shares add up to within 1e-9
 * of the times. */
#define PIECES 32

/* Gauss-Legendre with five points on [-1, 1] (Abramowitz and Stegun, table 25.4). */
#define POINTS 5
static const double points[POINTS] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683,
                                      0.906179845938664};
static const double weights[POINTS] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                       0.478628670499366, 0.236926885056189};

static bool for_one_machine(const struct prediction *base, const struct prediction *other)
{
    return base && other && base->there && other->there && strcmp(base->machine, other->machine) == 0;
}

static double overlap_of(const struct prediction *prediction)
{
    return prediction->overlap > 0 ? prediction->overlap : 1;
}

static struct combination combination_of(const struct prediction *prediction)
{
    return prediction_on_processor(prediction) ? cpu_combination() : time_combination(overlap_of(prediction));
}

double explain_whole(const struct prediction *prediction, double share[BOUNDS])
{
    const struct combination combination = combination_of(prediction);
    double slope[BOUNDS], rest = prediction->seconds;
    combination_slopes(&combination, prediction->term, slope);
    for (int b = 0; b < BOUNDS; b++) {
        share[b] = prediction->term[b] * slope[b];
        rest -= share[b];
    }
    return rest;
}

/* The share of each term in the derivative of the time by q. For groups s_g and their norm N, the derivative
 * is the sum over g of (N / q) (s_g / N)^q ln(s_g / N). The part of a group is divided among its terms in
 * proportion to them. */
static void slopes_by_q(const struct combination *combination, const double term[BOUNDS], double by_q[BOUNDS])
{
    double sum[BOUNDS] = {0}, powers = 0;
    for (int b = 0; b < BOUNDS; b++)
        sum[combination->group[b]] += term[b];
    for (int g = 1; g < BOUNDS; g++)
        powers += pow(sum[g], combination->q);
    const double norm = pow(powers, 1 / combination->q);
    for (int b = 0; b < BOUNDS; b++) {
        const int g = combination->group[b];
        const double ratio = g > 0 && norm > 0 ? sum[g] / norm : 0;
        by_q[b] = ratio > 0
                      ? norm / combination->q * pow(ratio, combination->q) * log(ratio) * term[b] / sum[g]
                      : 0;
    }
}

bool explain(const struct prediction *base, const struct prediction *other, struct explanation *explanation)
{
    if (!for_one_machine(base, other)) return false;
    const bool processor = prediction_on_processor(base);
    struct combination combination = combination_of(base);
    const double begin = overlap_of(base), end = overlap_of(other);
    const double q_change = time_combination(end).q - time_combination(begin).q;
    *explanation = (struct explanation){.difference = other->seconds - base->seconds};
    explanation->rest = explanation->difference;
    for (int p = 0; p < PIECES; p++)
        for (int q = 0; q < POINTS; q++) {
            double s = (p + (points[q] + 1) / 2) / PIECES;
            double t = fmin(s * s * s * (10 - 15 * s + 6 * s * s), 1); /* no term may be below 0 */
            double weight = 30 * s * s * (1 - s) * (1 - s) * weights[q] / 2 / PIECES;
            double term[BOUNDS], slope[BOUNDS];
            for (int b = 0; b < BOUNDS; b++)
                term[b] = (1 - t) * base->term[b] + t * other->term[b];
            if (!processor) combination = time_combination((1 - t) * begin + t * end);
            combination_slopes(&combination, term, slope);
            for (int b = 0; b < BOUNDS; b++)
                explanation->share[b] += (other->term[b] - base->term[b]) * slope[b] * weight;
            if (processor || begin == end) continue;
            slopes_by_q(&combination, term, slope);
            for (int b = 0; b < BOUNDS; b++)
                explanation->share[b] += q_change * slope[b] * weight;
        }
    for (int b = 0; b < BOUNDS; b++)
        explanation->rest -= explanation->share[b];
    return true;
}

/* Return the term with the largest absolute share among those not taken yet; -1 if none is left. */
static int largest(const struct explanation *explanation, const bool taken[BOUNDS])
{
    int found = -1;
    for (int b = 0; b < BOUNDS; b++)
        if (!taken[b] && explanation->share[b] != 0 &&
            (found < 0 || fabs(explanation->share[b]) > fabs(explanation->share[found])))
            found = b;
    return found;
}

int explanation_name(const struct explanation *explanation, double difference, enum bound named[BOUNDS])
{
    bool taken[BOUNDS] = {false};
    double apart = (1 - EXPLAIN_LEAST) * fabs(difference), left = fabs(explanation->rest), sum = 0;
    int count = 0;
    for (int b = 0; b < BOUNDS; b++)
        left += fabs(explanation->share[b]);
    for (int b = 0; left > apart && (b = largest(explanation, taken)) >= 0;) {
        taken[b] = true;
        left -= fabs(explanation->share[b]);
        sum += explanation->share[b];
        named[count++] = (enum bound)b;
    }
    return fabs(difference - sum) <= apart ? count : 0;
}
