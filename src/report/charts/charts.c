#include <stdio.h>

#include "drawing/picture.h"
#include "report/charts/series.h"

static const struct sheet_chart of_kernels = {
    .name = "kernels",
    .title = "Times of the kernels relative to the fastest of each matrix, geometric means",
    .sheet = "kernels",
    .across = "kernel",
    .by = {"precision", "threads"},
    .up_title = "time / time of the fastest",
    .heights = {{"slowdown", "geometric mean", false}},
    .shape = CHART_BARS,
    .even = true,
};

static const struct sheet_chart efficiency = {
    .name = "efficiency",
    .title = "Mean efficiency of the kernels (Koza et al., figure 6.7)",
    .sheet = "kernels",
    .across = "kernel",
    .by = {"precision", "threads"},
    .up_title = "of the copy bandwidth",
    .heights = {{"eta_minus", "eta-minus", false}, {"eta_plus", "eta-plus", false}},
    .shape = CHART_BARS,
};

static const struct sheet_chart forecast = {
    .name = "forecast",
    .title = "Forecast against measured times",
    .across_title = "measured time, us",
    .up_title = "forecast time, us",
    .across_logarithmic = true,
    .up_logarithmic = true,
    .diagonal = true,
};

static const struct sheet_chart bandwidth = {
    .name = "bandwidth",
    .title = "Bandwidth of the fastest kernel by mean row length (Koza et al., figure 6.2)",
    .sheet = "bandwidth",
    .across_title = "matrices by increasing mean row length",
    .up_title = "GB/s",
    .by = {"precision"},
    .heights = {{"bandwidth_minus", "beta-minus / time", false},
                {"bandwidth_plus", "beta-plus / time", false}},
};

static const struct sheet_chart speedup = {
    .name = "speedup",
    .title = "Speed-up of CMRS by mean row length (Koza et al., figure 6.3)",
    .sheet = "speedup",
    .across = "mean",
    .across_title = "mean row length, entries",
    .up_title = "speed-up",
    .across_logarithmic = true,
    .up_logarithmic = true,
    .by = {"precision"},
    .heights = {{"over_vector", "over a warp a row", false},
                {"over_scalar", "over a thread a row", false},
                {"over_hybrid", "over HYB", false},
                {"model_128", "model, lambda = 128", true},
                {"model_256", "model, lambda = 256", true}},
    .even = true,
};

static const struct sheet_chart padding = {
    .name = "padding",
    .title = "Speed-up of padded CMRS by its padding (Koza et al., figure 6.8)",
    .sheet = "padding",
    .across = "overhead",
    .across_title = "padding slots, % of the entries",
    .up_title = "speed-up over CMRS without padding",
    .by = {"precision"},
    .heights = {{"speedup", "", false}},
    .even = true,
};

static const struct sheet_chart threads = {
    .name = "threads",
    .title = "Speed against threads (Cranfield)",
    .sheet = "threads",
    .across = "threads",
    .across_title = "threads",
    .across_whole = true,
    .up_title = "GFLOP/s",
    .by = {"matrix", "order", "kernel", "precision"},
    .heights = {{"gflops", "", false}},
    .shape = CHART_LINES,
};

static const struct sheet_chart deviation = {
    .name = "deviation",
    .title = "Speed of CSR and ELLPACK by the percent average deviation (Cranfield)",
    .sheet = "deviation",
    .across = "deviation",
    .across_title = "percent average deviation of the row lengths",
    .up_title = "GFLOP/s",
    .by = {"backend", "precision"},
    .heights = {{"csr", "CSR", false}, {"ell", "ELLPACK", false}},
};

const struct sheet_chart *const sheet_charts[] = {&of_kernels, &efficiency, &forecast,  &bandwidth, &speedup,
                                                  &padding,    &threads,    &deviation, NULL};

const char *sheet_chart_name(const struct sheet_chart *chart)
{
    return chart->name;
}

const char *sheet_chart_title(const struct sheet_chart *chart)
{
    return chart->title;
}

/* The drawn data, for the canvas. */
struct drawn {
    const struct sheet_chart *chart;
    const struct series_list *list;
};

static enum status draw(const void *subject, struct canvas *canvas, struct error *error)
{
    const struct drawn *drawn = subject;
    chart_draw(drawn->chart, drawn->list, canvas);
    return STATUS_OK;
}

enum status sheet_chart_write(const struct sheet_chart *chart, const struct collection *collection,
                              const struct sheets *sheets, const struct picture_form *form, int wide,
                              int high, bool light, struct text *out, struct error *error)
{
    struct series_list list = {0};
    const struct drawn drawn = {chart, &list};
    const struct picture picture = {wide, high, light, chart->title, draw, &drawn};
    enum status status = series_take(chart, collection, sheets, &list, error);
    if (status == STATUS_OK && list.count == 0)
        status = error_set(error, STATUS_UNAVAILABLE, "%s: no matrix has the data for it", chart->name);
    if (status == STATUS_OK) status = form->write(&picture, out, error);
    series_free(&list);
    return status;
}
