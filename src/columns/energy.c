/* The columns of the energy of a kernel's products. */
#include "columns/lists.h"

static bool is_asked(const struct subject *subject)
{
    return subject->result->energy.asked;
}

const struct column_part part_energy = {.key = "energy", .title = "Energy", .applies = is_asked};

const void *owner_energy(const struct subject *subject)
{
    return is_asked(subject) ? &subject->result->energy : NULL;
}

static bool is_measured(const struct subject *subject)
{
    return subject->result->energy.products > 0;
}

static bool has_processes(const struct subject *subject)
{
    return subject->result->energy.processes > 0;
}

static struct value get_per_entry(const struct column *column, const struct subject *subject)
{
    const struct results *results = subject->results;
    if (!is_asked(subject)) return null_value();
    return real_value(1e12 * subject->result->energy.net /
                      ((double)results->nnz * product_columns(results->options.product)));
}

static struct value get_per_joule(const struct column *column, const struct subject *subject)
{
    if (!is_asked(subject)) return null_value();
    return real_value(1e-9 * subject->result->flops / subject->result->energy.gross);
}

#define OF(member) COLUMN_STORED(owner_energy, struct energy, member)
#define MILLIJOULES(member) OF(member), .scale = 1e3, .unit = "mJ"

const struct column energy_columns[] = {
    {.key = "energy.gross_mj",
     .title = "Energy of a product",
     .heading = "mJ",
     MILLIJOULES(gross),
     .help = "energy of a product, that of the idle machine included: counted joules / products; the object "
             "is null unless it was measured (--energy)"},
    {.key = "energy.net_mj",
     .title = "Energy above idle",
     .heading = "net mJ",
     MILLIJOULES(net),
     .negative = true,
     .help = "the same without the idle power: (counted joules - idle power x seconds) / products"},
    {.key = "energy.error_mj",
     .title = "Uncertainty of energy above idle",
     .heading = "+- mJ",
     MILLIJOULES(error),
     .help = "uncertainty of the energy above idle: a tick of the meter at the power of the kernel, and the "
             "spread of the idle power over the window, as the root of the sum of their squares"},
    {.key = "energy.watts",
     .title = "Power",
     .unit = "W",
     .heading = "W",
     OF(watts),
     .help = "average power while it runs"},
    {.key = "energy.idle_watts",
     .title = "Idle power",
     .unit = "W",
     .heading = "idle W",
     OF(idle),
     .help = "power of its processor or GPU before, with nothing running: the mean of four windows of half "
             "a second or a tick"},
    {.key = "energy.idle_spread_watts",
     .title = "Spread of idle power",
     .unit = "W",
     OF(idle_spread),
     .help = "half the range of these windows"},
    {.key = "energy.entry_pj",
     .title = "Energy of an entry",
     .unit = "pJ",
     .heading = "pJ/entry",
     .type = VALUE_REAL,
     .get = get_per_entry,
     .negative = true,
     .help = "energy above idle / entries and vectors of the product"},
    {.key = "energy.gflops_per_watt",
     .title = "Speed per power",
     .unit = "GFLOP/s per W",
     .heading = "GFLOP/s/W",
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_per_joule,
     .help = "2 nnz / energy of a product, with the idle power; 8 nnz of a complex matrix"},
    {.key = "energy.seconds",
     .title = "Window of energy",
     .unit = "s",
     OF(seconds),
     .help = "time of the products whose energy was counted: half a second, or 50 ticks of the meter, or as "
             "long as --energy allows"},
    {.key = "energy.products",
     .title = "Products of the window",
     OF(products),
     .known = is_measured,
     .help = "products in this time, one after another"},
    {.key = "energy.tick_ms",
     .title = "Tick of the meter",
     .unit = "ms",
     OF(tick),
     .scale = 1e3,
     .help = "time between two changes of the meter's counter, measured on the idle machine; of a power that "
             "is sampled, the time of which it is an average"},
    {.key = "energy.step_mj",
     .title = "Step of the meter",
     MILLIJOULES(step),
     .help = "energy of such a change; null if the power is sampled"},
    {.key = "energy.load",
     .title = "Load by other programs",
     .unit = "processors",
     .largest_first = true,
     OF(load),
     .help = "processors that other programs kept busy meanwhile; their energy is counted, too"},
    {.key = "energy.processes",
     .title = "Processes on the GPU",
     .largest_first = true,
     OF(processes),
     .known = has_processes,
     .help = "processes on the GPU, with this one; null if unknown, and on the processor"},
    {.key = "energy.meter",
     .title = "Meter",
     OF(meter),
     .help = "the meter: RAPL of a processor, or NVML's energy counter or sampled power of a GPU"},
    {.key = "energy.unavailable",
     .title = "Energy not available",
     .role = COLUMN_REASON,
     OF(reason),
     .help = "the reason why the energy is unknown; null if it was measured"},
    {.key = NULL},
};
