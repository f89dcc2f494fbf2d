/* The line of a step on the Warps screen, for every step of several kernels: its numbers are those of a plain
 * count of the sectors and lines at the addresses of the lanes, and its words agree with the numbers. */
#include <stdio.h>
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/warps_screen.h"
#include "ui/warps/warps.h"

/* Rows of 1 to 7 entries, scattered over 90 columns. */
static struct csr uneven(void)
{
    static double dense[37 * 90];
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < 37; i++)
        for (int k = 0; k <= i % 7; k++)
            dense[i * 90 + (i * 13 + k * k * 5) % 90] = 1 + k;
    return support_dense(37, 90, dense);
}

/* The distinct numbers floor(address / unit) of the bytes that the lanes touch. */
static int distinct(const uint64_t address[TRACE_LANES], uint32_t active, int size, int unit)
{
    uint64_t seen[4 * TRACE_LANES];
    int count = 0;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        for (int byte = 0; byte < size && active >> lane & 1; byte++) {
            const uint64_t at = (address[lane] + (uint64_t)byte) / (uint64_t)unit;
            int k = 0;
            while (k < count && seen[k] != at)
                k++;
            if (k == count) seen[count++] = at;
        }
    return count;
}

static int bits(uint32_t mask)
{
    int count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* The line of the drawn screen that begins with these words somewhere, from there to its end. */
static void line_with(struct stage *stage, const char *words, char *out, size_t size)
{
    const char *found = strstr(stage_dump(stage), words);
    if (!found) fail_msg("no \"%s\" in\n%s", words, stage_dump(stage));
    snprintf(out, size, "%.*s", (int)strcspn(found, "\n"), found);
}

static void expect_step(struct stage *stage, const struct warp_record *record, int64_t s)
{
    const struct warp_step *step = &record->steps[s];
    const struct ask *ask = &record->asks[step->ask];
    char line[256], words[128];
    snprintf(words, sizeof words, "step %d of %d", (int)s + 1, (int)record->count);
    line_with(stage, words, line, sizeof line);
    assert_says(line, ask->text);
    const int lanes = bits(step->active), padding = bits(step->padding);
    snprintf(words, sizeof words, "  %d lane%s x %d B", lanes, lanes == 1 ? "" : "s", ask->size);
    assert_says(line, words);
    snprintf(words, sizeof words, "  %d of them padding", padding);
    assert_true((strstr(line, words) != NULL) == (padding > 0));
    assert_true((strstr(line, "padding") != NULL) == (padding > 0));
    if (ask->operand == OPERAND_SHARED) {
        assert_says(line, "bank conflict");
        assert_lacks(line, "sector");
        return;
    }
    const uint64_t *address = record->address[s - record->window];
    const int sectors = distinct(address, step->active, ask->size, 32),
              all_lines = distinct(address, step->active, ask->size, 128);
    if (ask->access == ACCESS_LOAD) {
        snprintf(words, sizeof words, "  %d sector%s  ", sectors, sectors == 1 ? "" : "s");
        assert_says(line, words);
        snprintf(words, sizeof words, "  %d line%s", all_lines, all_lines == 1 ? "" : "s");
        assert_says(line, words);
        assert_true(line[strlen(line) - 1] != 's' || all_lines > 1);
    }
    assert_says(line, "% used");
}

TEST(every_step_is_told)
{
    static const char *const kernels_of[] = {
        "csr-scalar", "csr-vector:threads=32", "ell", "coo", "hyb:k=2", "sell", "cmrs"};
    int64_t steps = 0;
    bool alone = false, padded = false, one = false;
    for (size_t k = 0; k < sizeof kernels_of / sizeof *kernels_of; k++) {
        FREED(stage_close) struct stage stage;
        struct warps *warps = warps_open_kernels(&stage, uneven(), 30, 150, kernels_of[k], "csr-scalar");
        for (int warp = 0; warp < 2; warp++) {
            const struct pane *pane = &warps->panes[0];
            stage_key(&stage, UIKEY_HOME);
            for (int w = 0; w < warp; w++)
                stage_key(&stage, UIKEY_DOWN);
            warps_work(&stage);
            for (int s = 0; s < 400; s++)
                stage_key(&stage, UIKEY_LEFT);
            const int64_t count = pane->record.count;
            for (int64_t s = 0; s < count; s++) {
                const struct warp_step *step = &pane->record.steps[s];
                warps_work(&stage);
                assert_int_equal(pane->step, s);
                expect_step(&stage, &pane->record, s);
                alone = alone || bits(step->active) == 1;
                padded = padded || step->padding;
                one = one || step->sectors == 1;
                stage_key(&stage, UIKEY_RIGHT);
                steps++;
            }
        }
    }
    assert_true(steps > 100 && alone && padded && one);
}
