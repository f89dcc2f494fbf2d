#!/bin/sh
# Run tests under ThreadSanitizer: `make check-threads` calls this.
#
#     check.sh SOURCES BUILD TEST...
#
# A build of its own stands in BUILD/threads: clang with --enable-tsan, without CUDA. libomp loads libarcher, which tells
# the sanitizer of OpenMP's barriers. Ends with make's status: a race fails its test.
#
# THREADS_CC     the compiler, default clang; "ccache clang" for those who have that
# THREADS_JOBS   tests and compilers at a time, default one for each two processors
set -u

stop() {
    printf '%s\n' "check-threads: $*" >&2
    exit 1
}

[ $# -ge 3 ] || stop "usage: check.sh SOURCES BUILD TEST..."
sources=$(cd "$1" && pwd) && mkdir -p "$2/threads" && build=$(cd "$2/threads" && pwd) || exit 1
shift 2
compiler=${THREADS_CC:-clang}
jobs=${THREADS_JOBS:-$((($(nproc) + 1) / 2))}
[ ! -f "$sources/config.status" ] || stop "the sources are configured in place; configure in a folder of its own, and make distclean there"

cd "$build" || exit 1

# Without barriers that it knows, the sanitizer reports races that are none: a loop that has none must be quiet.
cat >barrier.c <<'C'
int sum(const int *values, int count);
int sum(const int *values, int count)
{
    int total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int k = 0; k < count; k++)
        total += values[k];
    return total;
}
int main(void)
{
    static int values[4096];
#pragma omp parallel
    {
#pragma omp for
        for (int k = 0; k < 4096; k++)
            values[k] = 1;
#pragma omp for
        for (int k = 0; k < 4096; k++)
            values[4095 - k] += 1;
    }
    return sum(values, 4096) != 8192;
}
C
TSAN_OPTIONS=ignore_noninstrumented_modules=1
OMP_NUM_THREADS=4
export TSAN_OPTIONS OMP_NUM_THREADS
$compiler -O1 -g -fopenmp -fsanitize=thread -o barrier barrier.c ||
    stop "$compiler cannot link with ThreadSanitizer and OpenMP (Debian: apt-get install clang libomp-dev libclang-rt-14-dev)"
./barrier >barrier.log 2>&1 ||
    stop "the OpenMP runtime does not tell ThreadSanitizer of its barriers: is libarcher.so beside libomp.so? See $build/barrier.log"

[ -f Makefile ] || CC=$compiler CFLAGS='-O1 -g' "$sources/configure" --without-cuda --enable-tsan >configure.log ||
    stop "configure failed; see $build/configure.log"
programs=
for test; do
    case $test in
    *.bats) ;;
    *) programs="$programs $test" ;;
    esac
done
# shellcheck disable=SC2086
make -j"$jobs" sparsight $programs >make.log 2>&1 || stop "the build failed; see $build/make.log"
exec make -k -j"$jobs" check TESTS="$*" check_PROGRAMS="$programs"
