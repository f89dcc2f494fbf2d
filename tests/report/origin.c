/* The facts of an origin (report/origin.h), from objects written by hand: a fact exists exactly if its
 * members do. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "report/origin.h"
#include "support/unit.h"

static json_t *read(const char *text)
{
    json_error_t fault;
    json_t *origin = json_loads(text, 0, &fault);
    if (!origin) fail_msg("%s: %s", fault.text, text);
    return origin;
}

/* Join the notes of a document, one a line. */
static void expect_notes(const struct document *document, const char *expected)
{
    struct text notes = {0};
    assert_false(document->failed);
    for (int k = 0; k < document->count; k++)
        if (document->blocks[k].kind == BLOCK_NOTE)
            text_append(&notes, "%s\n", document->blocks[k].note.words);
    assert_false(notes.failed);
    if (strcmp(notes.data ? notes.data : "", expected) != 0)
        fail_msg("found:\n%sexpected:\n%s", notes.data ? notes.data : "", expected);
    text_free(&notes);
}

/* Origins with few members, and their facts in a section: one in each line. */
static const struct {
    const char *origin, *facts;
} cases[] = {
    {"{}", ""},
    {"{\"version\": \"9.8\"}", "program: sparsight 9.8\n"},
    {"{\"version\": 9}", ""},
    {"{\"date\": \"2026-11-29T00:47:57Z\"}", "date: 2026-11-29 00:47:57 UTC\n"},
    {"{\"date\": \"2026-11-29 00:47:57Z\"}", "date: 2026-11-29 00:47:57Z\n"},
    {"{\"date\": \"2026-11-29T00:47:57+\"}", "date: 2026-11-29T00:47:57+\n"},
    {"{\"date\": \"2026-11-29T00:47:57Zulu\"}", "date: 2026-11-29T00:47:57Zulu\n"},
    {"{\"date\": \"today\"}", "date: today\n"},
    {"{\"command\": \"sparsight report a.mtx\"}", "command: sparsight report a.mtx\n"},
    {"{\"host\": {\"cpu\": \"A\"}}", "processor: A\n"},
    {"{\"host\": {\"instruction_set\": \"avx2\"}}", "processor: loops for avx2\n"},
    {"{\"host\": {\"cpus\": 1}}", "processor: 1 hardware thread\n"},
    {"{\"host\": {\"cpu\": \"A\", \"cpus\": 8, \"topology\": {\"packages\": 1, \"cores\": 4},"
     " \"instruction_set\": \"avx2\"}}",
     "processor: A, 1 package, 4 cores, 8 hardware threads, loops for avx2\n"},
    {"{\"host\": {\"topology\": {\"packages\": 2}, \"cpus\": \"many\"}}", "processor: 2 packages\n"},
    {"{\"host\": {\"threads\": 3}}", "threads: 3\n"},
    {"{\"host\": {\"threads\": 3, \"placement\": \"\"}}", "threads: 3\n"},
    {"{\"host\": {\"threads\": 3, \"placement\": \"p\"}}", "threads: 3, p\n"},
    {"{\"host\": {\"threads\": 3, \"placement\": \"one on each core\"}}", "threads: 3, one on each core\n"},
    {"{\"host\": {\"placement\": \"one on each core\"}}", ""},
    {"{\"host\": {\"gpus\": []}}", "GPU: none found\n"},
    {"{\"host\": {\"gpus\": null}}", ""},
    {"{\"host\": {\"gpus\": [{\"name\": \"G\"}]}}", "GPU: G\n"},
    {"{\"host\": {\"gpus\": [{\"name\": \"G\", \"memory\": 2147483648, \"driver\": \"5\", \"cuda\": \"12.4\","
     " \"runtime\": \"12.2\"}, {\"name\": \"H\", \"cuda\": \"11\"}]}}",
     "GPU: G, 2.00 GiB, driver 5 for CUDA 12.4, built with CUDA 12.2\nGPU: H, driver for CUDA 11\n"},
    {"{\"host\": {\"gpus\": [{\"name\": \"G\", \"driver\": \"5\", \"memory\": 0}]}}", "GPU: G, driver 5\n"},
    {"{\"host\": {\"compiler\": \"gcc -O2\"}}", "compiler: gcc -O2\n"},
    {"{\"host\": {\"system\": \"Linux 6\", \"memory\": 1073741824}}", "system: Linux 6, memory 1.00 GiB\n"},
    {"{\"host\": {\"system\": \"Linux 6\"}}", "system: Linux 6\n"},
    {"{\"host\": {\"memory\": 1073741824}}", ""},
};

TEST(each_fact_is_told_alone)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct document document = {0};
        json_t *origin = read(cases[k].origin);
        origin_section(origin, "Origin", &document);
        assert_int_equal(document.blocks[0].kind, BLOCK_SECTION);
        assert_string_equal(document.blocks[0].words, "Origin");
        expect_notes(&document, cases[k].facts);
        document_free(&document);
        json_decref(origin);
    }
}

static const char whole[] =
    "{\"version\": \"9.8\", \"date\": \"2026-11-29T00:47:57Z\", \"command\": \"sparsight report a.mtx\", "
    "\"host\":"
    " {\"cpu\": \"A\", \"threads\": 3, \"gpus\": [{\"name\": \"G\", \"driver\": \"5\"}, {\"name\": \"H\"},"
    " {\"driver\": \"6\"}], \"compiler\": \"gcc\", \"system\": \"Linux 6\"}}";

/* The head of a report has four lines: program and date, command, machine, and compiler and system. */
TEST(the_head_joins_facts_of_a_kind)
{
    struct document document = {0};
    json_t *origin = read(whole);
    origin_head(origin, &document);
    expect_notes(&document, "program: sparsight 9.8; date: 2026-11-29 00:47:57 UTC\n"
                            "command: sparsight report a.mtx\n"
                            "processor: A; threads: 3; GPU: G, driver 5; GPU: H; GPU: , driver 6\n"
                            "compiler: gcc; system: Linux 6\n");
    document_free(&document);
    json_decref(origin);
}

/* All facts of a line of a table, in the order of their columns; those of several GPUs in one cell. */
TEST(a_table_has_the_same_facts)
{
    static const struct {
        const char *key, *value;
    } expected[] = {{"version", "9.8"},
                    {"date", "2026-11-29T00:47:57Z"},
                    {"command", "sparsight report a.mtx"},
                    {"host.cpu", "A"},
                    {"host.threads", "3"},
                    {"host.gpus.name", "G; H"},
                    {"host.gpus.driver", "5; 6"},
                    {"host.compiler", "gcc"},
                    {"host.system", "Linux 6"}};
    json_t *origin = read(whole), *none = json_object();
    size_t count = 0;
    for (; origin_facts[count].key; count++) {
        struct text text = {0};
        assert_true(count < sizeof expected / sizeof *expected);
        assert_string_equal(origin_facts[count].key, expected[count].key);
        origin_append(origin, &origin_facts[count], &text);
        assert_string_equal(text.data, expected[count].value);
        text_free(&text);
        origin_append(none, &origin_facts[count], &text);
        assert_int_equal(text.length, 0);
        text_free(&text);
    }
    assert_int_equal(count, sizeof expected / sizeof *expected);
    json_decref(none);
    json_decref(origin);
}

/* An unknown command is null; the date is that of SOURCE_DATE_EPOCH (an hour after 1970 began). */
TEST(the_origin_of_this_process)
{
    setenv("SOURCE_DATE_EPOCH", "3600", 1);
    json_t *date = origin_date();
    unsetenv("SOURCE_DATE_EPOCH");
    assert_string_equal(json_string_value(date), "1970-01-01T01:00:00Z");
    json_t *origin = origin_here(date, "a b"), *unknown = origin_here(date, NULL);
    assert_string_equal(json_string_value(json_object_get(origin, "date")), "1970-01-01T01:00:00Z");
    assert_string_equal(json_string_value(json_object_get(origin, "command")), "a b");
    assert_true(json_is_null(json_object_get(unknown, "command")));
    assert_true(json_is_object(json_object_get(origin, "host")));
    json_decref(unknown);
    json_decref(origin);
    json_decref(date);
}
