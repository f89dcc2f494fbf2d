#!/usr/bin/env bats
# configure's choices: HDF5 with or without MPI, and the compute capabilities of device code.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    [ -x "$SRCDIR/configure" ] || skip "no configure"
    mkdir bin
    PATH=$PWD/bin:$PATH
    unset NVCC NVCC_CCBIN
}

stub() { # stub NAME SCRIPT
    mkdir -p "$(dirname "bin/$1")"
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

# Configure in the folder made, which may exist. The second time configure reuses those answers that cannot differ.
configure() {
    mkdir -p made
    (cd made && CC=${CC:-gcc} "$SRCDIR/configure" -q --cache-file=../cache --without-mpi --without-scotch --without-metis \
        --without-suitesparse --without-cairo --without-hwloc --without-isal "$@") >configured 2>&1 || { cat configured; return 1; }
}

@test "HDF5 without MPI is preferred, and HDF5 with MPI is used if it is the only one" {
    need pkg-config
    pkg-config --exists hdf5-serial || skip "no serial HDF5 with a name of its own"
    local real
    real=$(type -P pkg-config)
    # As on Debian if libhdf5-openmpi-dev provides hdf5.pc.
    stub pkg-config 'for word; do case $word in hdf5) mpi=1 ;; hdf5-serial) [ ! -e "'"$PWD"'/only" ] || exit 1 ;; esac; done
        case "${mpi-} $*" in 1*--cflags*) echo "-I/usr/include/hdf5/openmpi" ;; 1*--libs*) echo "-L/usr/lib/hdf5/openmpi -lhdf5" ;;
        1*--variable=libdir*) echo /usr/lib/hdf5/openmpi ;; 1*) ;; *) exec '"$real"' "$@" ;; esac'
    configure --without-cuda PKG_CONFIG="$PWD/bin/pkg-config"
    grep 'HDF5_CFLAGS = .*serial' made/Makefile
    ! grep openmpi made/Makefile made/config.h || false
    touch only
    configure --without-cuda PKG_CONFIG="$PWD/bin/pkg-config"
    grep 'HDF5_CFLAGS = .*openmpi' made/Makefile
}

# An MPI of two functions, with a wrapper as mpicc, and an HDF5 that is linked with another MPI.
@test "an HDF5 of another MPI than that of sparsight-mpi is refused" {
    need pkg-config
    local real
    real=$(type -P pkg-config)
    mkdir -p mpi other
    printf '#define MPI_VERSION 3\n#define MPI_THREAD_FUNNELED 1\nint MPI_Init_thread(int *, char ***, int, int *);\n' >mpi/mpi.h
    printf 'int MPI_Init_thread(int *a, char ***b, int c, int *d) { return 0; }\n' >mpi.c
    printf 'int MPI_Barrier(int a) { return a; }\n' >barrier.c
    printf 'int MPI_Barrier(int); int H5open(void) { return MPI_Barrier(0); }\n' >hdf5.c
    gcc -shared -fPIC -o mpi/libmpi.so mpi.c
    gcc -shared -fPIC -o other/libmpich.so barrier.c
    gcc -shared -fPIC -o other/libhdf5.so hdf5.c -Lother -lmpich
    stub mpicc 'echo "gcc -I'"$PWD"'/mpi -L'"$PWD"'/mpi -lmpi"'
    stub pkg-config 'for word; do case $word in hdf5-serial) exit 1 ;; hdf5) mpi=1 ;; esac; done
        case "${mpi-} $*" in 1*--cflags*) ;; 1*--libs*) echo "-L'"$PWD"'/other -lhdf5" ;; 1*--variable=libdir*) echo '"$PWD"'/other ;;
        1*) ;; *) exec '"$real"' "$@" ;; esac'
    export LD_LIBRARY_PATH=$PWD/mpi:$PWD/other
    ! configure --without-cuda --with-mpi="$PWD/bin/mpicc" PKG_CONFIG="$PWD/bin/pkg-config" || false
    grep -q "HDF5 (libhdf5.so) is built with another MPI than that of $PWD/bin/mpicc: install the serial one" configured
    configure --without-cuda --with-mpi="$PWD/bin/mpicc" --without-hdf5
}

# An nvcc for these capabilities, whose objects come from a C compiler.
toolkit() {
    mkdir -p toolkit/lib64
    [ -f toolkit/lib64/libcudart_static.a ] || ar cr toolkit/lib64/libcudart_static.a
    stub ../toolkit/bin/nvcc 'case $1 in --list-gpu-code) printf "sm_%s\n" '"$*"'; exit ;; esac
        while [ "$#" -gt 1 ]; do case $1 in -o) out=$2 ;; esac; shift; done
        [ -z "${out-}" ] || { echo "int cuda_test(void) { return 0; }" | gcc -x c -c - -o "$out"; }'
}

@test "device code is compiled for the GPUs of the machine, and without one as PTX for all and code for the newest" {
    need ar
    need g++
    toolkit 75 80 90 120
    stub nvidia-smi 'exit 9'
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=here
    grep -x 'CUDA_ARCHES = 120, PTX 75' made/Makefile
    grep -- '^NVCCFLAGS = .* -gencode arch=compute_75,code=sm_120 -gencode arch=compute_75,code=compute_75 -DCUDA_PTX=75 ' made/Makefile
    grep -x 'cuda_own_code = no' made/Makefile
    # GPUs of two kinds, one of them twice
    stub nvidia-smi 'printf "9.0\n8.0\n9.0\n"'
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=here
    grep -x 'CUDA_ARCHES = 80 90, PTX 90' made/Makefile
    grep -- '^NVCCFLAGS = .* -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 ' made/Makefile
    grep -x 'cuda_own_code = yes' made/Makefile
    # a GPU that is newer than nvcc
    stub nvidia-smi 'echo 13.0'
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=here
    grep -x 'CUDA_ARCHES = 120, PTX 75' made/Makefile
    # packages and bundles
    configure --with-cuda="$PWD/toolkit"
    grep -x 'CUDA_ARCHES = 75 80 90 120, PTX 120' made/Makefile
}

@test "PTX is for the newest named capability, in any order of the names" {
    need ar
    need g++
    toolkit 75 80 90 120
    stub nvidia-smi 'exit 9'
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=90,80
    grep -x 'CUDA_ARCHES = 80 90, PTX 90' made/Makefile
    grep -- '^NVCCFLAGS = .* -gencode arch=compute_90,code=compute_90 -DCUDA_PTX=90 ' made/Makefile
    # 120 is more than 90, and a capability that is named twice is compiled once
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch='120;80,90,120'
    grep -x 'CUDA_ARCHES = 80 90 120, PTX 120' made/Makefile
    grep -- '^NVCCFLAGS = .* -gencode arch=compute_120,code=compute_120 -DCUDA_PTX=120 ' made/Makefile
}

@test "device code is compiled again if its capabilities have changed, and not otherwise" {
    need g++
    toolkit 75 80 90
    stub nvidia-smi 'exit 9'
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=80
    touch -d 2020-01-01 made/nvcc-flags
    (cd made && ./config.status -q)
    [ -n "$(find made/nvcc-flags ! -newermt 2021-01-01)" ]
    configure --with-cuda="$PWD/toolkit" --with-cuda-arch=90
    [ -z "$(find made/nvcc-flags ! -newermt 2021-01-01)" ]
    grep -q 'compute_90' made/nvcc-flags
    grep -q '^\$(cuda_objects).*: nvcc-flags$' "$SRCDIR/Makefile.am"
}

level() { # level OBJECT: the level of optimisation that the command of make ends with
    make -C made -n V=1 "$1" | tr ' ' '\n' | grep '^-O' | tail -n 1
}

@test "the -O2 of packagers leaves the loops of kernels their -O3, and other levels hold everywhere" {
    configure --without-cuda CFLAGS="-g -O2 -pipe"
    [ "$(level src/kernels/cpu/loops/libloops_portable_a-f64_portable.o)" = -O3 ]
    [ "$(level src/matrix/csr.o)" = -O2 ]
    grep -q '^CFLAGS = -g -pipe' made/Makefile
    rm cache
    configure --without-cuda CFLAGS="-O2 -O1 -g"
    [ "$(level src/kernels/cpu/loops/libloops_portable_a-f64_portable.o)" = -O1 ]
    [ "$(level src/matrix/csr.o)" = -O1 ]
    rm cache
    configure --without-cuda CFLAGS=-O3
    [ "$(level src/kernels/cpu/loops/libloops_portable_a-f64_portable.o)" = -O3 ]
}

# A sed that replaces this processor's flags by another one's.
@test "--with-loops=here compiles the loops for any processor and for the widest vectors of this one" {
    [ "$(uname -m)" = x86_64 ] || skip "the loops of this processor have one set of instructions"
    local real
    real=$(type -P sed)
    stub sed 'case "$*" in *"^flags"*/proc/cpuinfo) cat "'"$PWD"'/flags" ;; *) exec '"$real"' "$@" ;; esac'
    echo ' fpu avx avx2 fma avx512f avx512cd avx512vl avx512dq avx512bw' >flags
    configure --without-cuda --with-loops=here
    ! grep '^#define LOOPS_AVX2' made/config.h || false
    grep -x '#define LOOPS_AVX512 1' made/config.h
    echo ' fpu avx avx2 fma avx512f avx512cd' >flags
    configure --without-cuda --with-loops=here
    grep -x '#define LOOPS_AVX2 1' made/config.h
    ! grep '^#define LOOPS_AVX512' made/config.h || false
    echo ' fpu avx avx2' >flags
    configure --without-cuda --with-loops=here
    ! grep '^#define LOOPS_AVX' made/config.h || false
    configure --without-cuda
    [ "$(grep -c '^#define LOOPS_AVX' made/config.h)" -eq 2 ]
    run configure --without-cuda --with-loops=mine
    [ "$status" -eq 1 ]
    [[ $output == *"--with-loops is"* ]]
}
