/* The columns of a row of the report's list `distribution.partitions`: a partition into a number of parts. */
#include "base/range.h"
#include "columns/columns.h"

const struct column_part part_distribution = {.key = "", .title = "Parts"};
const struct column_part part_scaling = {.key = "", .title = "Scaling over parts"};

static bool is_found(const struct subject *subject)
{
    return subject->division->status == STATUS_OK;
}

static struct value get_name(const struct column *column, const struct subject *subject)
{
    return text_value(subject->division->partitioner->name);
}

static struct value get_params(const struct column *column, const struct subject *subject)
{
    return (struct value){.type = VALUE_PARAMETERS,
                          .parameters = subject->division->partitioner->parameters,
                          .numbers = subject->division->numbers};
}

static struct value get_refusal(const struct column *column, const struct subject *subject)
{
    return is_found(subject) ? null_value() : text_value(subject->division->refusal.message);
}

static const void *owner_division(const struct subject *subject)
{
    return subject->division;
}

const void *owner_halo(const struct subject *subject)
{
    return is_found(subject) ? &subject->division->halo : NULL;
}

static struct value get_expand(const struct column *column, const struct subject *subject)
{
    const struct halo *halo = owner_halo(subject);
    return halo ? integer_value(halo->volume - halo->fold) : null_value();
}

/* The sent elements and messages are unknown in reports of versions that did not write them. */
const void *owner_sent(const struct subject *subject)
{
    const struct halo *halo = owner_halo(subject);
    return halo && (halo->most_messages > 0 || halo->messages == 0) ? halo : NULL;
}

/* The model has numbers if the time of one process is known. */
const void *owner_scaling(const struct subject *subject)
{
    return is_found(subject) && subject->division->scaling.total_us > 0 ? &subject->division->scaling : NULL;
}

/* The time that ranks measured. */
static const void *owner_measured(const struct subject *subject)
{
    return is_found(subject) && subject->division->measured_us > 0 ? subject->division : NULL;
}

static struct value get_error(const struct column *column, const struct subject *subject)
{
    const struct scaling *scaling = owner_scaling(subject);
    if (!scaling || !owner_measured(subject)) return null_value();
    /* Ranks multiply their own elements during the exchange (src/ranks/product). */
    const double predicted = scaling->overlap_us > 0 ? scaling->overlap_us : scaling->total_us;
    return real_value(predicted / subject->division->measured_us - 1);
}

static struct value get_exchange_share(const struct column *column, const struct subject *subject)
{
    const struct scaling *scaling = owner_scaling(subject);
    if (!scaling) return null_value();
    return real_value(share_of(scaling->exchange_us, scaling->exchange_us + scaling->compute_us));
}

#define OF_DIVISION(member) COLUMN_STORED(owner_division, struct distributed, member)
#define OF_HALO(member) COLUMN_STORED(owner_halo, struct halo, member)
#define OF_SENT(member) COLUMN_STORED(owner_sent, struct halo, member)
#define OF_MEASURED(member) COLUMN_STORED(owner_measured, struct distributed, member)
#define OF_SCALING(member) COLUMN_STORED(owner_scaling, struct scaling, member)

static const struct column definitions[] = {
    {.key = "partition",
     .title = "Partition",
     .type = VALUE_TEXT,
     .get = get_name,
     .help = "the partition of the rows, or of the entries (2D), among processes"},
    {.key = "params",
     .title = "Parameters",
     .type = VALUE_PARAMETERS,
     .get = get_params,
     .help = "each parameter of the partition with its value"},
    {.key = "file", .title = "File", OF_DIVISION(file), .help = "the file that the partition was read from"},
    {.key = "parts",
     .title = "Parts",
     OF_DIVISION(parts),
     .help = "the number of parts, one for each process"},
    {.key = "refused",
     .title = "Failure",
     .role = COLUMN_REASON,
     .type = VALUE_TEXT,
     .get = get_refusal,
     .help = "the reason why the partition could not be found; null if it was found"},
    {.key = "volume",
     .title = "Volume",
     .unit = "elements",
     .heading = "volume",
     OF_HALO(volume),
     .help = "elements that all parts receive for a product: expand + fold"},
    {.key = "expand",
     .title = "Expand",
     .unit = "elements",
     .type = VALUE_INTEGER,
     .get = get_expand,
     .help = "elements of x that all parts receive for a product: the sum of their halos"},
    {.key = "fold",
     .title = "Fold",
     .unit = "elements",
     .heading = "fold",
     OF_HALO(fold),
     .help = "partial sums of elements of y that all parts receive; 0 if each row has one owner"},
    {.key = "largest_halo",
     .title = "Largest halo",
     .unit = "elements",
     .heading = "halo",
     OF_HALO(largest_halo),
     .help = "largest number of elements that a part receives for a product"},
    {.key = "largest_send",
     .title = "Largest send",
     .unit = "elements",
     .heading = "send",
     OF_SENT(largest_send),
     .help = "largest number of elements that a part sends for a product, counted once for each receiver"},
    {.key = "messages",
     .title = "Messages",
     .heading = "messages",
     OF_HALO(messages),
     .help = "ordered pairs of parts of which one sends elements of x to the other for a product, and "
             "those of which one sends partial sums of y"},
    {.key = "most_messages",
     .title = "Most messages",
     OF_SENT(most_messages),
     .help = "largest number of messages that a part sends for a product"},
    {.key = "most_neighbours",
     .title = "Most neighbours",
     .unit = "parts",
     .heading = "nbrs",
     OF_HALO(most_neighbours),
     .help = "largest number of parts with which a part exchanges elements"},
    {.key = "cut",
     .title = "Cut",
     .unit = "entries",
     .heading = "cut",
     OF_HALO(cut),
     .help = "entries that multiply an element of x owned by another part"},
    {.key = "most_rows",
     .title = "Most rows",
     .unit = "rows",
     OF_HALO(most_rows),
     .help = "largest number of rows whose element of y one part owns"},
    {.key = "most_entries",
     .title = "Most entries",
     .unit = "entries",
     OF_HALO(most_entries),
     .help = "largest number of entries of a part"},
    {.key = "imbalance",
     .title = "Imbalance",
     .unit = "most / mean entries",
     .heading = "imbal.",
     OF_HALO(imbalance),
     .help = "entries of the part with most entries / mean entries of a part"},
    {.key = NULL},
};

static const struct column scaling_columns[] = {
    {.key = "compute_us",
     .role = COLUMN_TIME,
     .title = "Predicted time to compute",
     .unit = "us",
     .heading = "compute",
     OF_SCALING(compute_us),
     .help = "for the part with most entries: its share of the entries x the time of one process"},
    {.key = "exchange_us",
     .role = COLUMN_TIME,
     .title = "Predicted time to exchange",
     .unit = "us",
     .heading = "exchange",
     OF_SCALING(exchange_us),
     .help = "for the part that exchanges longest: latency x messages + bytes / bandwidth"},
    {.key = "predicted_us",
     .role = COLUMN_TIME,
     .title = "Predicted time of a product",
     .unit = "us",
     .heading = "product",
     OF_SCALING(total_us),
     .help = "for the slowest part, in f64: exchange + compute"},
    {.key = "overlap_us",
     .role = COLUMN_TIME,
     .title = "Predicted time with overlap",
     .unit = "us",
     .heading = "overlap",
     OF_SCALING(overlap_us),
     .help = "the same if entries that need no halo are multiplied during the exchange; null if y is folded"},
    {.key = "speedup",
     .title = "Predicted speed-up",
     .unit = "T of one / T",
     .heading = "speed-up",
     .largest_first = true,
     OF_SCALING(speedup),
     .help = "time of a product of one process / predicted time of a product"},
    {.key = "efficiency",
     .title = "Predicted efficiency",
     .heading = "eff.",
     .role = COLUMN_SHARE,
     .largest_first = true,
     OF_SCALING(efficiency),
     .help = "speed-up / parts"},
    {.key = "exchange_share",
     .title = "Share of communication",
     .heading = "comm.",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_exchange_share,
     .help = "predicted time to exchange / (time to exchange + time to compute)"},
    {.key = "measured_us",
     .role = COLUMN_TIME,
     .title = "Measured time of a product",
     .unit = "us",
     .heading = "measured",
     OF_MEASURED(measured_us),
     .help = "of the same kernel over as many ranks by this partition, if ranks ran it"},
    {.key = "prediction_error",
     .title = "Error of the prediction",
     .heading = "error",
     .role = COLUMN_PERCENT,
     .negative = true,
     .type = VALUE_REAL,
     .get = get_error,
     .help = "predicted time with overlap, which ranks have, / measured time - 1; negative: the product took "
             "longer"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_distribution},
    {.columns = scaling_columns, .part = &part_scaling},
    {.columns = NULL},
};

COLUMN_TABLE(part_columns, lists)
