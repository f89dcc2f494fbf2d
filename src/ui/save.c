#include "ui/save.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_WIDE 60
#define NUMBERS_MAX 1000

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void save_propose(const struct session *session, char out[PROMPT_SIZE])
{
    const char *name = session->shown->matrix.name;
    char stem[NAME_MAX_WIDE + 1];
    snprintf(stem, sizeof stem, "%s", name && name[0] ? name : "matrix");
    for (char *c = stem; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '-';
    if (stem[0] == '-' || stem[0] == '.') stem[0] = '_';
    snprintf(out, PROMPT_SIZE, "%s-runs.json", stem);
    for (int k = 2; k < NUMBERS_MAX && exists(out); k++)
        snprintf(out, PROMPT_SIZE, "%s-runs-%d.json", stem, k);
}

bool save_accept(struct saving *saving, const char *path, const char **label)
{
    if (strcmp(path, "-") == 0) path = "./-"; /* a file of that name, and not standard output */
    bool again = saving->replace && strcmp(saving->path, path) == 0;
    snprintf(saving->path, sizeof saving->path, "%s", path);
    saving->replace = !again && exists(path);
    if (saving->replace) *label = "It is there already: Enter replaces it, Esc keeps it";
    return !saving->replace;
}

bool save_question(int unsaved, bool timing, char out[SAVE_QUESTION])
{
    char lost[48] = "";
    if (unsaved > 0)
        snprintf(lost, sizeof lost, "%d run%s not saved", unsaved, unsaved == 1 ? " is" : "s are");
    snprintf(out, SAVE_QUESTION, "%s%s%s. Quit? y quits, %sn stays", timing ? "kernels are being timed" : "",
             timing && unsaved > 0 ? ", " : "", lost, timing ? "" : "s saves first, ");
    return timing || unsaved > 0;
}
