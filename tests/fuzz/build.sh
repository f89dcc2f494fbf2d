#!/bin/sh
# build.sh SOURCES FOLDER: build the fuzz targets as programs of libFuzzer, FOLDER/bin/TARGET, with AddressSanitizer and
# UndefinedBehaviorSanitizer, the libraries that it needs in FOLDER/lib, and beside them the corpora and run.sh: all that another
# machine needs. It needs clang with libFuzzer (CLANG names it), and makes the library anew in FOLDER/build, by JOBS processes.
set -eu
sources=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
here=$sources/tests/fuzz
: "${CLANG:=clang}" "${JOBS:=2}" "${CCACHE=}"

if [ -e "$sources/config.status" ]; then
    echo "fuzz: these sources are configured in their own folder; 'make distclean', and configure in another one" >&2
    exit 1
fi
if ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n && 0; }' |
    "$CLANG" -x c -fsanitize=fuzzer,address,undefined -o "$folder/probe" - 2>/dev/null; then
    echo "fuzz: $CLANG has no libFuzzer; on Debian: apt-get install clang libclang-rt-14-dev, or CLANG=clang-16" >&2
    exit 77
fi
rm -f "$folder/probe"

flags='-O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'
# The targets fuzz this project's code: libraries that only draw, order and measure are left out, and that of HDF5, which reads
# damaged files in a process of its own.
mkdir -p "$folder/build" "$folder/bin" "$folder/lib"
cd "$folder/build"
if [ ! -e Makefile ]; then
    CC="$CCACHE $CLANG" CFLAGS="$flags" "$sources/configure" -q --disable-dependency-tracking --without-cuda --without-curses \
        --without-cairo --without-mpi --without-metis --without-scotch --without-suitesparse --without-hdf5 --without-hwloc --without-isal >configure.log
fi
# No target runs the loops of kernels.
make -s -j "$JOBS" LOOPS_CFLAGS=-O0 fuzz-libraries
libraries=$(make -s fuzz-libraries-list)
flags="-std=gnu17 $flags -fopenmp -D_GNU_SOURCE -I. -I$sources/src -I$sources/tests"
for file in "$here"/*.c; do
    name=$(basename "$file" .c)
    case $name in one | seeds | mutate) continue ;; esac
    $CCACHE "$CLANG" $flags -c -o "fuzz_$name.o" "$file"
done
rm -f libfuzz.a
ar rcs libfuzz.a fuzz_*.o
wraps=-Wl
for function in $(sed -n 's/^.*[ *]__real_\([a-z]*\)(.*/\1/p' "$here/memory_file.c" "$here/allocations.c" | sort -u); do
    wraps=$wraps,--wrap=$function
done
sed -n 's/^TARGET(\([a-z_0-9]*\), \([0-9]*\), .*/\1 \2/p' "$here/targets.def" >"$folder/targets"
# A program for the targets of a file, or of several that need the table of kernels; its name says which target it is to be.
for group in matrices files numbers 'lists profiles reports texts'; do
    names=
    for file in $group; do
        names="$names $(sed -n 's/^int fuzz_\([a-z_0-9]*\)(.*/\1/p' "$here/$file.c")"
    done
    group=${group%% *}
    for name in $names; do
        grep "^TARGET($name," "$here/targets.def"
    done >own.def
    $CCACHE "$CLANG" $flags -DFUZZ_TARGETS='"own.def"' -c -o "one_$group.o" "$here/one.c"
    "$CLANG" -fsanitize=fuzzer,address,undefined -fopenmp '-Wl,-rpath,$ORIGIN/../lib,--disable-new-dtags' "$wraps" \
        -o "$folder/lib/fuzz_$group" "one_$group.o" libfuzz.a $libraries
    for name in $names; do
        ln -sf "../lib/fuzz_$group" "$folder/bin/$name"
    done
done
for name in $(cut -d ' ' -f 1 "$folder/targets"); do
    if [ ! -x "$folder/bin/$name" ]; then
        echo "fuzz: target $name is in none of the files" >&2
        exit 1
    fi
done
# The C library goes beside, for machines whose own is older: run.sh takes it where the programs do not start without it.
rm -rf "$folder/lib/system"
mkdir "$folder/lib/system"
ldd "$folder"/bin/* | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | sort -u | while read -r library; do
    case $library in
    "$folder"/*) ;;
    */ld-linux*.so.* | */libc.so.* | */libm.so.*) cp -L "$library" "$folder/lib/system/" ;;
    *) cp -L "$library" "$folder/lib/" ;;
    esac
done
rm -rf "$folder/corpus"
cp -r "$here/corpus" "$folder/corpus"
chmod -R u+w "$folder/corpus"
cp "$here/run.sh" "$folder/run.sh"
echo "made $folder; FUZZ_BUILD=$folder sh $folder/run.sh runs it, here or on another machine"
