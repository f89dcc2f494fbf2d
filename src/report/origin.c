#include "report/origin.h"

#include <config.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "report/host.h"
#include "report/json/write.h"

json_t *origin_date(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL, date[32];
    time_t now = epoch && epoch[0] ? (time_t)strtoll(epoch, &end, 10) : time(NULL);
    struct tm day;
    if (end && *end) now = time(NULL);
    if (!gmtime_r(&now, &day) || !strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &day)) return json_null();
    return json_string(date);
}

json_t *origin_here(json_t *date, const char *command)
{
    return json_pack("{s:s, s:O, s:o, s:o}", "version", PACKAGE_VERSION, "date", date, "command",
                     command ? json_from_bytes(command) : json_null(), "host", host_json());
}

/* The value of a dotted key; NULL if there is none. */
static const json_t *find(const json_t *object, const char *key)
{
    char name[64];
    const char *dot = strchr(key, '.');
    if (!dot) return json_object_get(object, key);
    snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
    return find(json_object_get(object, name), dot + 1);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(find(object, key));
    return text ? text : "";
}

/* The destination of an origin's facts. Each is a note of its own, or the facts of a kind share one. */
struct facts {
    struct document *document;
    bool joined;
    struct text line; /* the facts of the current kind, if they are joined */
};

/* Add a fact. `words` belong to the document. */
static void add_fact(struct facts *facts, const char *words)
{
    if (facts->joined)
        text_append(&facts->line, "%s%s", facts->line.length ? "; " : "", words);
    else
        document_note(facts->document, MARK_NONE, "%s", words);
}

/* End a kind of facts. */
static void end_line(struct facts *facts)
{
    if (facts->line.length) document_note(facts->document, MARK_NONE, "%s", facts->line.data);
    facts->document->failed = facts->document->failed || facts->line.failed;
    text_free(&facts->line);
    facts->line = (struct text){0};
}

static void add_text(struct facts *facts, const json_t *origin, const char *key, const char *name)
{
    const char *text = text_of(origin, key);
    if (text[0]) add_fact(facts, document_words(facts->document, "%s: %s", name, text));
}

/* Add a date, "2026-11-29T00:47:57Z", in a readable form. */
static void add_date(struct facts *facts, const char *date)
{
    if (strlen(date) == 20 && date[10] == 'T' && date[19] == 'Z')
        add_fact(facts, document_words(facts->document, "date: %.10s %.8s UTC", date, date + 11));
    else if (date[0])
        add_fact(facts, document_words(facts->document, "date: %s", date));
}

static void append_number(struct text *text, const json_t *host, const char *key, const char *unit)
{
    const json_t *number = find(host, key);
    if (!json_is_integer(number)) return;
    const long long count = json_integer_value(number);
    text_append(text, "%s%lld %s%s", text->length ? ", " : "", count, unit, count == 1 ? "" : "s");
}

static void add_processor(struct facts *facts, const json_t *host)
{
    struct text text = {0};
    const char *cpu = text_of(host, "cpu"), *isa = text_of(host, "instruction_set");
    if (cpu[0]) text_append(&text, "%s", cpu);
    append_number(&text, host, "topology.packages", "package");
    append_number(&text, host, "topology.cores", "core");
    append_number(&text, host, "cpus", "hardware thread");
    if (isa[0]) text_append(&text, "%sloops for %s", text.length ? ", " : "", isa);
    if (text.length) add_fact(facts, document_words(facts->document, "processor: %s", text.data));
    facts->document->failed = facts->document->failed || text.failed;
    text_free(&text);
}

static void add_threads(struct facts *facts, const json_t *host)
{
    const json_t *threads = find(host, "threads");
    const char *placement = text_of(host, "placement");
    if (json_is_integer(threads))
        add_fact(facts,
                 document_words(facts->document, "threads: %lld%s%s", (long long)json_integer_value(threads),
                                placement[0] ? ", " : "", placement));
}

/* Each GPU is a fact, with its driver. */
static void add_gpus(struct facts *facts, const json_t *host)
{
    const json_t *gpus = find(host, "gpus");
    char memory[32];
    if (json_is_array(gpus) && json_array_size(gpus) == 0) add_fact(facts, "GPU: none found");
    for (size_t k = 0; k < json_array_size(gpus); k++) {
        const json_t *gpu = json_array_get(gpus, k);
        struct text text = {0};
        const char *driver = text_of(gpu, "driver"), *cuda = text_of(gpu, "cuda"),
                   *runtime = text_of(gpu, "runtime");
        text_append(&text, "%s", text_of(gpu, "name"));
        const double bytes = json_number_value(find(gpu, "memory"));
        if (bytes > 0) text_append(&text, ", %s", format_bytes(memory, sizeof memory, bytes));
        if (driver[0]) text_append(&text, ", driver %s", driver);
        if (cuda[0]) text_append(&text, "%sCUDA %s", driver[0] ? " for " : ", driver for ", cuda);
        if (runtime[0]) text_append(&text, ", built with CUDA %s", runtime);
        if (text.length) add_fact(facts, document_words(facts->document, "GPU: %s", text.data));
        facts->document->failed = facts->document->failed || text.failed;
        text_free(&text);
    }
}

static void add_system(struct facts *facts, const json_t *host)
{
    const char *system = text_of(host, "system");
    const double bytes = json_number_value(find(host, "memory"));
    char memory[32];
    if (system[0])
        add_fact(facts,
                 document_words(facts->document, "system: %s%s%s", system, bytes > 0 ? ", memory " : "",
                                bytes > 0 ? format_bytes(memory, sizeof memory, bytes) : ""));
}

static void add_facts(struct facts *facts, const json_t *origin)
{
    const json_t *host = json_object_get(origin, "host");
    const char *version = text_of(origin, "version");
    facts->document->failed = facts->document->failed || !origin;
    if (version[0]) add_fact(facts, document_words(facts->document, "program: sparsight %s", version));
    add_date(facts, text_of(origin, "date"));
    end_line(facts);
    add_text(facts, origin, "command", "command");
    end_line(facts);
    add_processor(facts, host);
    add_threads(facts, host);
    add_gpus(facts, host);
    end_line(facts);
    add_text(facts, host, "compiler", "compiler");
    add_system(facts, host);
    end_line(facts);
}

void origin_section(const json_t *origin, const char *title, struct document *document)
{
    document_section(document, "%s", title);
    add_facts(&(struct facts){.document = document}, origin);
}

void origin_head(const json_t *origin, struct document *document)
{
    add_facts(&(struct facts){.document = document, .joined = true}, origin);
}

const struct origin_fact origin_facts[] = {
    {"version", "the version that wrote the report"},
    {"date", "the time at which the report was begun, in UTC (ISO 8601)"},
    {"command", "the command line"},
    {"host.cpu", "the processor's name"},
    {"host.threads", "threads that the program uses"},
    {"host.gpus.name", "the GPUs that kernels could run on"},
    {"host.gpus.driver", "the version of their driver"},
    {"host.compiler", "the compiler that built the program"},
    {"host.system", "name and release of the operating system, and the architecture"},
    {NULL, NULL},
};

static void append_value(const json_t *value, struct text *text)
{
    if (json_is_string(value)) text_append(text, "%s", json_string_value(value));
    if (json_is_integer(value)) text_append(text, "%lld", (long long)json_integer_value(value));
}

void origin_append(const json_t *origin, const struct origin_fact *fact, struct text *text)
{
    static const char of_gpus[] = "host.gpus.";
    const size_t length = sizeof of_gpus - 1;
    if (strncmp(fact->key, of_gpus, length) != 0) {
        append_value(find(origin, fact->key), text);
        return;
    }
    const json_t *gpus = find(origin, "host.gpus");
    for (size_t k = 0; k < json_array_size(gpus); k++) {
        const json_t *value = json_object_get(json_array_get(gpus, k), fact->key + length);
        if (json_is_string(value)) text_append(text, "%s", k ? "; " : "");
        append_value(value, text);
    }
}
