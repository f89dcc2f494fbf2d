/* Portraits: each sentence with numbers that follow from how the matrix was made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/portrait.h"
#include "support/advising.h"
#include "support/support.h"
#include "support/unit.h"

#define PARTS                                                                                              \
    (SESSION_STRUCTURE | SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_VALUES | SESSION_COMPONENTS | \
     SESSION_DENSE_BLOCKS | SESSION_SIZES)

static void open_named(struct session *session, const char *name)
{
    advising_load(session, name);
    assert_int_equal(conversions_want_all(&session->shown->conversions, PRECISION_F64, NULL), STATUS_OK);
    assert_int_equal(session_need(session, NULL, PARTS, NULL, NULL), STATUS_OK);
}

static const char *whole(const struct session *session, const struct matrix_case *of)
{
    static char text[PORTRAIT_MAX * (PORTRAIT_WORDS + 1)];
    struct portrait portrait;
    portrait_make(session, of, &portrait);
    text[0] = 0;
    for (int k = 0; k < portrait.count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k ? " " : "", portrait.sentence[k]);
    return text;
}

static void expect(const char *name, const char *said)
{
    FREED(session_free) struct session session;
    open_named(&session, name);
    if (!strstr(whole(&session, session.shown), said))
        fail_msg("%s: no '%s' in: %s", name, said, whole(&session, session.shown));
}

TEST(generated_matrices_are_told)
{
    /* 5 diagonals of 100^2 rows lack 2 x 100 + 2 x (99 + 1 ...) positions: 49,600 of 50,000 slots.
     * Gershgorin: no row is deficient, and those at the border are strictly dominant. */
    expect("gen:laplace2d,n=100",
           "It is symmetric and positive definite: it is diagonally dominant with a positive diagonal. Its "
           "entries "
           "lie on 5 diagonals, which are 99% full. Rows have 3 to 5 entries, with a mean of 4.96.");
    expect("gen:blocks,n=9000,size=3,mean=5",
           "It consists of 3 x 3 blocks, which are 100% full. Each row has 15 "
           "entries.");
    expect("gen:banded,n=500,lower=0,upper=0", "It is diagonal. Each row has 1 entry.");
    expect("gen:banded,n=500,lower=4,upper=0", "It is lower triangular with a full diagonal.");
    expect("gen:banded,n=500,lower=0,upper=4", "It is upper triangular with a full diagonal.");
    expect("gen:banded,n=5000,lower=200,upper=100,fill=0.2",
           "It is banded: its bandwidth is 200, 4.0% of n.");
    expect("gen:random,m=6000,n=2000,mean=8,spread=8", "It has 3 times as many rows as columns.");
    expect("gen:random,m=2000,n=50000,mean=8,spread=8", "It has 25 times as many columns as rows.");
    /* The first of 3000 rows has 3000 of 8998 entries, more than a third. */
    expect("gen:arrow,n=3000",
           "1 of 3,000 rows holds a third of the entries: up to 3,000, with a mean of 3; ELL "
           "needs 1,000 slots per entry. One column is dense: it has entries in 100% of the rows.");
}

static void expect_entries(const char *banner, int rows, int cols, int entries, const char *lines,
                           const char *said)
{
    static const char name[] = "portrait.mtx";
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s\n%d %d %d\n%s", banner, rows, cols, entries, lines);
    assert_int_equal(fclose(file), 0);
    expect(name, said);
    remove(name);
}

static void expect_silence(const char *banner, int rows, int cols, int entries, const char *lines,
                           const char *words)
{
    static const char name[] = "portrait.mtx";
    struct session session;
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s\n%d %d %d\n%s", banner, rows, cols, entries, lines);
    assert_int_equal(fclose(file), 0);
    open_named(&session, name);
    if (strstr(whole(&session, session.shown), words))
        fail_msg("'%s' in: %s", words, whole(&session, session.shown));
    session_free(&session);
    remove(name);
}

TEST(small_files_are_told)
{
    /* Row 2 is not dominant; the diagonal is positive. */
    expect_entries("real symmetric", 12, 12, 14,
                   "1 1 4\n2 2 1\n3 3 4\n4 4 4\n5 5 4\n6 6 4\n7 7 4\n8 8 4\n9 9 4\n10 10 4\n11 11 4\n12 12 "
                   "4\n2 1 1\n3 2 1\n",
                   "It is symmetric with a positive diagonal, and diagonally dominant in 92% of its rows.");
    /* Dominant but for equality in all rows of the one component: [1 -1; -1 1] is singular. */
    expect_entries("real symmetric", 2, 2, 3, "1 1 1\n2 2 1\n2 1 -1\n",
                   "It is symmetric and positive semidefinite");
    /* The same with a row that is strictly dominant, and is connected with the others. */
    expect_entries("real symmetric", 2, 2, 3, "1 1 2\n2 2 1\n2 1 -1\n",
                   "It is symmetric and positive definite");
    /* ... and one that is not: rows 1 and 2 stay singular. */
    expect_entries("real symmetric", 3, 3, 4, "1 1 1\n2 2 1\n2 1 -1\n3 3 7\n",
                   "It is symmetric and positive semidefinite");
    expect_entries("real symmetric", 3, 3, 3, "1 1 -1\n2 2 -1\n2 1 1\n", "It is symmetric. ");
    expect_entries("real symmetric", 3, 3, 4, "1 1 5\n2 2 -1\n3 3 5\n2 1 1\n",
                   "It is symmetric, and 2 of its 3 diagonal entries are positive.");
    expect_entries("complex hermitian", 2, 2, 3, "1 1 5 0\n2 2 5 0\n2 1 1 1\n",
                   "It is Hermitian and positive definite");
    expect_entries("complex symmetric", 2, 2, 3, "1 1 5 0\n2 2 5 0\n2 1 1 1\n",
                   "It is complex symmetric, not Hermitian.");
    expect_entries("real skew-symmetric", 3, 3, 2, "2 1 3\n3 2 4\n", "It is skew-symmetric.");
    expect_entries("pattern symmetric", 3, 3, 2, "2 1\n3 2\n",
                   "Its pattern is symmetric; the file has no values.");
    expect_entries("real general", 3, 3, 4, "1 2 3\n2 1 4\n2 3 5\n3 2 5\n",
                   "Its pattern is symmetric, its values are not: 50% of the pairs are equal.");
    expect_entries("real general", 3, 3, 3, "1 2 3\n2 1 4\n2 3 5\n",
                   "Its pattern is not symmetric: 67% of the entries off the diagonal have a mirror image.");
    expect_entries("real general", 3, 3, 4, "1 1 1e-5\n2 2 1e5\n3 3 0\n1 3 1\n",
                   "25% of its entries are explicit zeros");
    expect_entries("real general", 3, 3, 3, "1 1 1e-5\n2 2 1e5\n1 3 1\n",
                   "Its values span 10 powers of ten.");
    expect_entries("real general", 3, 3, 3, "1 1 nan\n2 2 1e5\n1 3 inf\n", "2 of its values are not finite.");
    expect_entries("real general", 3, 3, 3, "1 1 -2\n2 2 2\n1 3 2\n",
                   "All its values have the absolute value 2.");
    expect_entries("real general", 4, 4, 4, "1 2 3\n2 1 4\n3 4 5\n4 3 5\n",
                   "It has 2 connected components; the largest has 50% of the rows.");
    expect_entries("real general", 3, 3, 4, "1 2 3\n2 1 4\n2 3 5\n1 1 1\n",
                   "It is reducible: its graph has 2 strongly connected components.");
}

TEST(an_order_that_makes_it_banded_is_told)
{
    FREED(session_free) struct session session;
    struct order_choice choice;
    open_named(&session, "gen:dissection,n=40");
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(session_reorder(&session, &choice, NULL, NULL), STATUS_OK);
    order_choice_free(&choice);
    struct matrix_case *other = &session.cases[1];
    assert_lacks(whole(&session, session.shown), "rcm");
    assert_int_equal(session_need(&session, other, SESSION_STRUCTURE, NULL, NULL), STATUS_OK);
    char said[128];
    snprintf(said, sizeof said, "The order rcm makes it banded: the bandwidth falls from 1,%03d to %d.",
             (int)session.shown->structure.lower_bandwidth - 1000, (int)other->structure.lower_bandwidth);
    if (!strstr(whole(&session, session.shown), said)) fail_msg("%s", whole(&session, session.shown));
    assert_lacks(whole(&session, other), "natural");
}

/* Of seven findings the five most peculiar are kept; nothing is said of parts that are not known. */
TEST(at_most_five_sentences_remain)
{
    struct session session;
    struct portrait portrait;
    open_named(&session, "gen:powerlaw,scale=10,edge=8");
    portrait_make(&session, session.shown, &portrait);
    assert_int_equal(portrait.count, PORTRAIT_MAX);
    session_free(&session);
    advising_load(&session, "gen:powerlaw,scale=10,edge=8");
    assert_int_equal(session.shown->ready & (SESSION_STRUCTURE | SESSION_COMPONENTS), 0);
    assert_lacks(whole(&session, session.shown), "attern");
    assert_lacks(whole(&session, session.shown), "component");
    session_free(&session);
}

/* Empty rows are told from the first one on, with their share; of 0 there is no sentence. */
TEST(empty_rows_are_counted)
{
    for (int empty = 0; empty <= 3; empty++) {
        char lines[1024] = "", said[64];
        for (int i = empty + 1; i <= 25; i++)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%d %d 2.5\n", i, i % 5 + 1);
        snprintf(said, sizeof said, "%.*f%% of its rows are empty.", empty < 3, 4.0 * empty);
        if (empty > 0)
            expect_entries("real general", 25, 30, 25 - empty, lines, said);
        else
            expect_silence("real general", 25, 30, 25, lines, "rows are empty");
    }
}

/* 20 blocks of 3 x 3 on the diagonal, each of which lacks one of 9 entries. Then 20 groups of 3 rows that
 * have entries in 5 columns far apart; in the last case the third row of each lacks one of these, so that its
 * cosine to the first is 4 / sqrt(4 x 5), and 14 of 15 positions have an entry. */
TEST(dense_blocks_and_groups_of_rows_are_told)
{
    static const char *const said[] = {
        "It consists of 3 x 3 blocks with 11% fill.",
        "Consecutive rows have the same columns, in groups of 3 rows on average.",
        "Consecutive rows have similar columns, in groups of 3 rows on average with 6.7% fill."};
    static const int entries[] = {160, 300, 280};
    for (int n = 0; n < 3; n++) {
        struct text lines = {0};
        for (int i = 0; i < 60; i++)
            for (int k = 0; k < (n ? 5 : 3); k++) {
                const bool lacks = n == 0 ? i % 3 == 1 && k == 2 : n == 2 && i % 3 == 2 && k == 4;
                if (!lacks)
                    text_append(&lines, "%d %d 1\n", i + 1, n ? i / 3 * 2 + k * 40 + 1 : i / 3 * 3 + k + 1);
            }
        assert_false(lines.failed);
        expect_entries("real general", 60, n ? 200 : 60, entries[n], lines.data, said[n]);
        text_free(&lines);
    }
}
