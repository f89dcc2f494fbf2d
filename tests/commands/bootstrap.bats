#!/usr/bin/env bats
# bootstrap, with stubs of apt-get, configure, make and compilers: the packages that it installs for each target, the
# arguments of configure, and its last lines. .ci/run runs it with the real programs.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir bin base tree tree/build-aux tree/data
    cp "$SRCDIR/bootstrap" tree
    local tool
    for tool in awk bash basename cat chmod cmp cp cut dirname env find grep head ls mkdir nproc printf readlink rm sed sh sort tail tee test touch tr uname; do
        ln -s "$(type -P "$tool")" base/
    done
    touch tree/configure.ac tree/Makefile.am
    touch tree/Makefile.in tree/config.h.in tree/build-aux/tap-driver.sh tree/data/demo.mtx.gz installed unoffered log
    export LOG=$PWD/log INSTALLED=$PWD/installed UNOFFERED=$PWD/unoffered NVCC=no-nvcc
    unset CC CFLAGS MAKEFLAGS DEBIAN_FRONTEND
    stub id 'echo "${USER_ID:-0}"'
    stub cc 'case " $* " in *" -E "*) exit 1 ;; esac'
    stub pkg-config 'exit 1'
    stub dpkg-query 'for package; do if grep -qx -e "$package" "$INSTALLED"; then echo "$package installed"; fi; done'
    stub apt-cache 'if grep -qx "$2" "$UNOFFERED"; then echo "  Candidate: (none)"; else echo "  Candidate: 1.0"; fi'
    stub apt-get 'echo "apt-get $*" >>"$LOG"
        for word; do case $word in install) on=1 ;; -*) ;; *)
            [ -z "${on-}" ] || ! grep -qx "$word" "$UNOFFERED" || exit 100
        esac; done
        on=; for word; do case $word in install) on=1 ;; -*) ;; *) [ -z "$on" ] || echo "$word" >>"$INSTALLED" ;; esac; done'
    stub make 'echo "make $*" >>"$LOG"
        printf "#!/bin/sh\necho \"ran \$*\"\n" >sparsight; chmod +x sparsight'
    # A switch is on if its package is installed and no argument excludes it.
    cat >tree/configure <<'STUB'
#!/bin/sh
echo "configure $*" >>"$LOG"
echo "CFLAGS=${CFLAGS-none}" >>"$LOG"
words=" $* "
have() { grep -qx "$2" "$INSTALLED" && case $words in *" --without-$1 "*) false ;; esac; }
: >config.h; : >config.status; : >Makefile
! have curses libncurses-dev || echo '#define WITH_CURSES 1' >>config.h
! have cairo libcairo2-dev || echo '#define HAVE_CAIRO 1' >>config.h
! have hdf5 libhdf5-dev || echo '#define HAVE_HDF5 1' >>config.h
! have suitesparse libsuitesparse-dev || echo '#define HAVE_SUITESPARSE 1' >>config.h
! have metis libmetis-dev || echo '#define HAVE_METIS 1' >>config.h
! have scotch libscotch-dev || echo '#define HAVE_SCOTCH 1' >>config.h
! have hwloc libhwloc-dev || echo '#define HAVE_HWLOC 1' >>config.h
if have mpi libopenmpi-dev; then echo 'have_mpi = yes'; else echo 'have_mpi = no'; fi >>Makefile
if command -v "$NVCC" >/dev/null && case $words in *" --without-cuda "*) false ;; esac; then
    echo '#define WITH_CUDA 1' >>config.h
    echo 'CUDA_ARCHES = 120, PTX 75' >>Makefile
else
    echo 'CUDA_ARCHES = ' >>Makefile
fi
STUB
    chmod +x tree/configure
}

stub() { # stub NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

# Packages that are installed before bootstrap runs.
have() {
    printf '%s\n' "$@" >>installed
}

required="libc6-dev zlib1g-dev libarchive-dev libjansson-dev libncurses-dev"
light="libsuitesparse-dev libmetis-dev libscotch-dev libhdf5-dev libcairo2-dev libhwloc-dev"

# Run it without a terminal. Sets $status and writes the output to the file said.
bootstrap() {
    status=0
    PATH=$PWD/bin:$PWD/base ./tree/bootstrap "$@" >out 2>said </dev/null || status=$?
    cat out said
}

installs() {
    sed -n 's/^apt-get .*install //p' log | tr ' ' '\n' | grep -v '^-' | sort
}

@test "demo installs the light libraries of the program, and neither an MPI nor what tests need" {
    bootstrap demo
    [ "$status" -eq 0 ]
    # shellcheck disable=SC2086 # a list of words
    diff <(installs) <(printf '%s\n' $required $light | sort)
    grep -qx "ran report $PWD/tree/data/demo.mtx.gz" out
    [ "$(tail -n 3 said | cut -d: -f2 | tr -d '\n')" = " on off switch on" ]
    tail -n 3 said | grep -x 'bootstrap: on: explorer, pictures as PNG and PDF, HDF5 files, orders amd and colamd, orders nd and kway, partitions scotch, cores and caches, pinned threads'
    tail -n 2 said | grep "^bootstrap: off: sparsight-mpi, kernels for GPUs"
    tail -n 1 said | grep -x 'bootstrap: switch on: apt-get install nvidia-cuda-toolkit && ./bootstrap demo --with-mpi --with-cuda'
}

# Debian's libscotch-dev installs an MPI, too. apt-mark lists the requested packages, from the file manual.
scotch_brings_mpi() {
    touch manual
    stub apt-get 'echo "apt-get $*" >>"$LOG"
        on=; for word; do case $word in install) on=1 ;; -*) ;; *)
            [ -n "$on" ] || continue
            echo "$word" >>"$INSTALLED"; echo "$word" >>"${LOG%/*}/manual"
            [ "$word" != libscotch-dev ] || echo libopenmpi-dev >>"$INSTALLED" ;;
        esac; done
        ! grep -qx libopenmpi-dev "$INSTALLED" || { printf "#!/bin/sh\n" >"${0%/*}/mpicc"; chmod +x "${0%/*}/mpicc"; }'
    stub apt-mark 'shift; for package; do if grep -qx -e "$package" "${LOG%/*}/manual"; then echo "$package"; fi; done'
    stub dpkg-query 'case $1 in
        -S) grep -qx libopenmpi-dev "$INSTALLED" && echo "libopenmpi-dev: $2"; exit ;;
        esac
        for package; do if grep -qx -e "$package" "$INSTALLED"; then echo "$package installed"; fi; done'
}

@test "an MPI that only came with Scotch is not used, unless an argument or the target requests one" {
    scotch_brings_mpi
    bootstrap demo --without-cuda
    [ "$status" -eq 0 ]
    [ -x bin/mpicc ]
    grep -x 'configure --without-cuda --without-mpi --with-loops=here' log
    tail -n 2 said | grep -x 'bootstrap: off: sparsight-mpi, kernels for GPUs'
    : >log
    bootstrap demo --without-cuda
    ! grep '^configure' log || false
    bootstrap demo --without-cuda --with-mpi
    grep -x 'configure --without-cuda --with-mpi --with-loops=here' log
    : >log
    bootstrap check --without-cuda
    grep -x 'configure --without-cuda' log
}

@test "an MPI that was installed by its name, or belongs to no package, is used" {
    scotch_brings_mpi
    echo openmpi-bin >manual
    bootstrap demo --without-cuda
    grep -x 'configure --without-cuda --with-loops=here' log
    rm -r tree/build
    : >log
    : >manual
    stub dpkg-query 'case $1 in -S) exit 1 ;; esac
        for package; do if grep -qx -e "$package" "$INSTALLED"; then echo "$package installed"; fi; done'
    bootstrap demo --without-cuda
    grep -x 'configure --without-cuda --with-loops=here' log
}

@test "a first demo compiles loops for this processor; other targets and builds compile all" {
    bootstrap demo --without-cuda
    bootstrap demo
    [ "$(grep -c '^configure' log)" -eq 1 ]
    grep -x 'configure --without-cuda --with-loops=here' log
    : >log
    bootstrap install
    grep -x 'configure --without-cuda' log
    # All of them are there now.
    : >log
    bootstrap demo
    ! grep '^configure' log || false
    rm -r tree/build
    bootstrap demo --without-cuda --with-loops=all
    grep -x 'configure --without-cuda --with-loops=all' log
}

@test "check installs an MPI and the packages of tests; an argument excludes the MPI" {
    bootstrap check
    [ "$status" -eq 0 ]
    local package
    for package in $light libopenmpi-dev openmpi-bin libptscotch-dev libtrilinos-zoltan-dev libcmocka-dev bats tmux; do
        installs | grep -x "$package"
    done
    grep -x 'make .* check' log
    : >log
    : >installed
    bootstrap check --without-mpi
    ! installs | grep mpi || false
    installs | grep -x libcmocka-dev
}

@test "the command of the last line switches everything on that was off, and keeps other words" {
    stub nvcc true
    NVCC=nvcc
    bootstrap demo --without-metis --without-cuda --prefix=/opt/sparsight
    [ "$status" -eq 0 ]
    ! installs | grep -e metis -e g++ || false
    grep -x 'bootstrap: off: orders nd and kway, sparsight-mpi, kernels for GPUs' said
    local command
    command=$(sed -n 's/^bootstrap: switch on: //p' said)
    [ "$command" = "./bootstrap demo --prefix=/opt/sparsight --with-metis --with-mpi --with-cuda" ]
    # shellcheck disable=SC2086
    bootstrap ${command#./bootstrap }
    [ "$status" -eq 0 ]
    installs | grep -x libmetis-dev
    installs | grep -x libopenmpi-dev
    installs | grep -x g++
    grep -q 'bootstrap: on: .*orders nd and kway.*sparsight-mpi, kernels for GPUs (for 120, PTX 75)$' said
    [ "$(tail -n 1 said)" = "bootstrap: off: nothing" ]
    grep -x 'configure --prefix=/opt/sparsight --with-metis --with-mpi --with-cuda --with-cuda-arch=here --with-loops=here' log
}

@test "every target but bundle is compiled for the machine's GPUs, unless an argument names others" {
    local target
    for target in all check install demo; do
        bootstrap "$target"
        [ "$(grep -c '^configure --with-cuda-arch=here$' log)" -eq 1 ] # not again for the next target
    done
    : >log
    bootstrap bundle
    grep -x 'configure ' log
    : >log
    bootstrap demo
    grep -x 'configure --with-cuda-arch=here' log
    : >log
    bootstrap demo --with-cuda-arch=80,90
    grep -x 'configure --with-cuda-arch=80,90' log
    : >log
    bootstrap demo --enable-werror
    grep -x 'configure --enable-werror' log
    : >log
    bootstrap demo --without-cuda
    grep -x 'configure --without-cuda' log
}

@test "configure runs again after a GPU or a library was installed, and not otherwise" {
    bootstrap
    bootstrap
    [ "$(grep -c '^configure' log)" -eq 1 ]
    stub nvidia-smi 'echo 9.0'
    bootstrap
    [ "$(grep -c '^configure' log)" -eq 2 ]
    stub pkg-config 'case "$*" in "--modversion hwloc") echo 2.9.0 ;; *) exit 1 ;; esac'
    bootstrap
    [ "$(grep -c '^configure' log)" -eq 3 ]
    stub cc 'case " $* " in *" -E "*) grep -q "<metis.h>" ;; esac'
    bootstrap
    [ "$(grep -c '^configure' log)" -eq 4 ]
}

@test "an unavailable package does not prevent the others" {
    echo libscotch-dev >unoffered
    bootstrap demo
    [ "$status" -eq 0 ]
    installs | grep -x libmetis-dev
    ! installs | grep -x libscotch-dev || false
    grep -x 'bootstrap: missing: libscotch-dev' said
    grep '^bootstrap: off: partitions scotch, sparsight-mpi' said
}

@test "without root and without a password nothing optional is installed, and the message says how" {
    # shellcheck disable=SC2086
    have $required
    export USER_ID=1000
    stub sudo 'exit 1'
    bootstrap
    [ "$status" -eq 0 ]
    [ -z "$(installs)" ]
    grep -x "bootstrap: install with: sudo apt-get install $light" said
    grep -x 'bootstrap: going on without them' said
    tail -n 1 said | grep -- '--with-cairo --with-hdf5 --with-suitesparse --with-metis --with-scotch --with-hwloc --with-mpi --with-cuda$'
}

@test "without root a required package stops the build, with the command that installs it" {
    # shellcheck disable=SC2086
    have ${required/libjansson-dev/}
    export USER_ID=1000
    bootstrap
    [ "$status" -eq 1 ]
    grep -x 'bootstrap: install with: sudo apt-get install libjansson-dev' said
    grep -x 'bootstrap: error: sparsight cannot be built without libjansson-dev; install the missing packages and run this again' said
    ! grep '^configure' log || false
}

@test "on a system with dnf the commands have its names of packages" {
    rm bin/apt-get bin/dpkg-query
    stub dnf 'exit 1'
    # All packages of a build are installed.
    stub pkg-config 'case "$*" in *hdf5*|*cairo*|*hwloc*) exit 1 ;; esac'
    stub cc 'case " $* " in *" -E "*) ! grep -q -e amd -e metis -e scotch ;; esac'
    stub mpicc 'exit 1'
    bootstrap
    [ "$status" -eq 0 ]
    grep -x 'bootstrap: install with: dnf install suitesparse-devel metis-devel scotch-devel hdf5-devel cairo-devel hwloc-devel ' said
    grep 'kernels for GPUs (they need nvcc of NVIDIA.s CUDA toolkit; --with-cuda=FOLDER names its folder)$' said
    tail -n 1 said | grep '^bootstrap: switch on: dnf install .*metis-devel.* && ./bootstrap .*--with-metis'
}

@test "a demo is compiled without debugging information, unless CFLAGS asks for it" {
    bootstrap demo
    grep -x 'CFLAGS=-O3' log
    rm -r tree/build
    CFLAGS='-O0 -g' bootstrap demo
    grep -x 'CFLAGS=-O0 -g' log
    rm -r tree/build
    bootstrap check
    grep -x 'CFLAGS=none' log
}
