/* How long frames of the browser take: a folder of many files at 160 x 48, while it is listed and read, and
 * for each of some keys afterwards. Drawing and the work between keys count, sending to the terminal does
 * not. Prints; decides nothing.
 *
 * bench_browser [FILES], 5000 by default */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/job.h"
#include "ui/browser/browser.h"
#include "ui/keys.h"

#define FRAMES_MAX 20000
#define PRESSED 300
#define FRAME_AIM 16.0 /* milliseconds */

/* The time of each frame, and the processor time of the screen's thread in it, which other programs on the
 * machine do not lengthen; both in milliseconds. */
struct frames {
    double ms[FRAMES_MAX], own_ms[FRAMES_MAX];
    int count;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *what, struct frames *frames)
{
    if (frames->count == 0) return;
    qsort(frames->ms, (size_t)frames->count, sizeof frames->ms[0], ascending);
    qsort(frames->own_ms, (size_t)frames->count, sizeof frames->own_ms[0], ascending);
    int last = (int)ceil(0.99 * frames->count) - 1;
    printf("  %-22s %5d frames, median %7.3f ms, p99 %7.3f ms; of the processor %7.3f, %7.3f ms%s\n", what,
           frames->count, frames->ms[frames->count / 2], frames->ms[last], frames->own_ms[frames->count / 2],
           frames->own_ms[last], frames->ms[last] > FRAME_AIM ? "  (beyond the aim)" : "");
    frames->count = 0;
}

static double own_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One turn of the loop: a key, the background work, and the drawing. Return the milliseconds for which the
 * browser would wait for a key. */
static int turn(struct browser *browser, struct surface *surface, int key, struct frames *frames)
{
    double start = clock_seconds(), own = own_seconds();
    if (key) browser_key(browser, key);
    int wait = browser_step(browser);
    browser_draw(browser, surface, false, PALETTE_256);
    if (frames->count == FRAMES_MAX) return wait;
    frames->own_ms[frames->count] = 1000 * (own_seconds() - own);
    frames->ms[frames->count++] = 1000 * (clock_seconds() - start);
    return wait;
}

static void make_files(const char *folder, int count)
{
    char path[128];
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/matrix-%07d.mtx", folder, (int)((int64_t)k * 7919 % count));
        FILE *file = fopen(path, "w");
        if (!file) continue;
        fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d 2\n1 1 1\n%d 1 2\n", k + 2,
                k % 97 + 1, k + 2);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    static struct frames frames;
    static const struct {
        const char *what;
        int key;
    } keys[] = {{"a row down", UIKEY_DOWN},
                {"a page down", UIKEY_PAGE_DOWN},
                {"first, last", UIKEY_END},
                {"sorted", 's'},
                {"the other way", 'r'}};
    int count = argc > 1 ? atoi(argv[1]) : 5000;
    char folder[] = "/tmp/sparsight-browser-XXXXXX", command[64];
    const struct load_options options = {0};
    struct browser *browser = NULL;
    struct surface surface = {0};
    struct error error = {0};
    if (!mkdtemp(folder)) return 1;
    make_files(folder, count);
    printf("bench_browser: a folder of %d files, 160 x 48; aim: %.0f ms at the 99th percentile\n", count,
           FRAME_AIM);
    double start = clock_seconds();
    if (browser_open(folder, &options, &browser, &error) == STATUS_OK &&
        surface_resize(&surface, 48, 160, &error) == STATUS_OK) {
        /* The browser waits for ever, or for the thumbnails in sight, when all headers have been read. */
        for (int wait = 0; wait >= 0;) {
            wait = turn(browser, &surface, 0, &frames);
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        printf("  all listed and read after %.2f s\n", clock_seconds() - start);
        print("while that goes on", &frames);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            for (int pressed = 0; pressed < PRESSED; pressed++) {
                int key = keys[k].key == UIKEY_END && pressed % 2 ? UIKEY_HOME : keys[k].key;
                turn(browser, &surface, key, &frames);
            }
            print(keys[k].what, &frames);
        }
        browser_key(browser, '/');
        for (int pressed = 0; pressed < PRESSED; pressed++)
            turn(browser, &surface, pressed % 6 < 3 ? '0' + pressed % 3 : UIKEY_BACKSPACE, &frames);
        print("a letter of the filter", &frames);
    }
    if (error.status != STATUS_OK) printf("bench_browser: %s\n", error.message);
    browser_close(browser);
    surface_free(&surface);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || error.status != STATUS_OK;
}
