/* What the parts of a partition exchange, packed for a report and read back, against a plain count in the
 * matrix; also single elements, which a coarse matrix has few of. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "report/packed/numbers.h"
#include "report/packed/sketches.h"
#include "session/distribution.h"
#include "support/chance.h"
#include "support/support.h"
#include "support/unit.h"

enum { N = 60, MOST = 12 };

/* Each part's numbers by two loops over the entries. */
static void count(const struct csr *a, const struct sketch *sketch, int parts, struct halo_part part[MOST])
{
    static bool needs[MOST][N];
    memset(needs, 0, sizeof needs);
    for (int p = 0; p < parts; p++)
        part[p] = (struct halo_part){0};
    for (int64_t i = 0; i < a->rows; i++) {
        const int32_t owner = sketch_owner(sketch, i);
        assert_in_range(owner, 0, parts - 1);
        part[owner].rows++;
        part[owner].entries += a->row_ptr[i + 1] - a->row_ptr[i];
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            needs[owner][a->col[k]] = true;
    }
    for (int to = 0; to < parts; to++)
        for (int from = 0; from < parts; from++) {
            int64_t elements = 0;
            for (int j = 0; j < N && from != to; j++)
                elements += needs[to][j] && sketch_owner(sketch, j) == from;
            part[to].receives += elements;
            part[from].sends += elements;
            part[to].from += elements > 0;
            part[from].to += elements > 0;
        }
}

static void compare(const struct csr *a, const struct distributed *division)
{
    FREED(text_free) struct text packed = {0}, letters = {0};
    FREED(sketch_free) struct sketch sketch = {0};
    struct unpacker *unpacker = NULL;
    struct error error = {0};
    struct halo halo = {.parts = division->parts, .volume = division->halo.volume};
    struct halo_part part[MOST];
    int64_t step;
    count(a, &division->sketch, (int)division->parts, part);
    assert_int_equal(volumes_pack(&division->sketch, &division->halo, 1 << 20, &step, &packed), STATUS_OK);
    assert_int_equal(step, 1);
    base64_append(&letters, packed.data, packed.length);
    assert_int_equal(unpacker_open(letters.data, &unpacker, &error), STATUS_OK);
    assert_int_equal(volumes_unpack(unpacker, step, a->rows, csr_nnz(a), &halo, &sketch, &error), STATUS_OK);
    for (int64_t p = 0; p < division->parts; p++) {
        const struct halo_part *found = &halo.part[p];
        assert_int_equal(found->rows, part[p].rows);
        assert_int_equal(found->entries, part[p].entries);
        assert_int_equal(found->receives, part[p].receives);
        assert_int_equal(found->sends, part[p].sends);
        assert_int_equal(found->from, part[p].from);
        assert_int_equal(found->to, part[p].to);
    }
    unpacker_close(unpacker);
    free(halo.part);
}

TEST(volumes_are_those_of_the_matrix)
{
    uint64_t chance = CHANCE_SEED;
    const struct distribution_request request = {.parts = {2, 3, 7, MOST}, .count = 4, .sketched = true};
    int compared = 0;
    for (int round = 0; round < 6; round++) {
        static double dense[N * N];
        for (int k = 0; k < N * N; k++)
            dense[k] = k % (N + 1) == 0 || chance_next(&chance) % (uint64_t)(20 + 300 * round) == 0;
        struct matrix matrix = {.csr = support_dense(N, N, dense)};
        FREED(distribution_free) struct distribution distribution = {0};
        assert_int_equal(distribution_make(&matrix, &request, 0, NULL, &distribution, NULL), STATUS_OK);
        for (int k = 0; k < distribution.count; k++) {
            const struct partitioner *partitioner = distribution.items[k].partitioner;
            if (distribution.items[k].status != STATUS_OK || partitioner->package || partitioner->entrywise)
                continue;
            compare(&matrix.csr, &distribution.items[k]);
            compared++;
        }
        csr_free(&matrix.csr);
    }
    assert_true(compared >= 6 * 4);
}
