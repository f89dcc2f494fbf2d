/* Included before every source of a build with --enable-coverage: a child process that ends by _exit, which
 * skips the functions registered for the end, writes its counters first. Includes nothing itself, so that no
 * source sees names that it did not include. */
#ifndef SPARSIGHT_TESTS_COVERAGE_EXIT_H
#define SPARSIGHT_TESTS_COVERAGE_EXIT_H

void __gcov_dump(void);
__attribute__((noreturn)) void coverage_end(int code) __asm__("_exit");

__attribute__((noreturn, unused)) static void coverage_exit(int code)
{
    __gcov_dump();
    coverage_end(code);
}

#define _exit coverage_exit

#endif
