#!/usr/bin/env bats
# The contents of packages, as far as they can be checked without building them, which takes minutes (`make deb`,
# `rpmbuild` and packaging/minimal): the version, and that each installed file belongs to a package.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    : "${BUILDDIR:?run by make check}"
}

# The files that `make install` puts below the prefix /usr.
installed() {
    make -s -C "$BUILDDIR" install DESTDIR="$PWD/root" prefix=/usr exec_prefix=/usr bindir=/usr/bin libdir=/usr/lib \
        datarootdir=/usr/share datadir=/usr/share mandir=/usr/share/man includedir=/usr/include >make.log 2>&1
    (cd root && find . -type f -o -type l) | sed 's/^\.//' | sort
}

@test "completion, manuals and data are installed, and uninstall leaves nothing" {
    installed >files
    [ "$(wc -l <files)" -ge 20 ]
    local file
    for file in bash-completion/completions/sparsight zsh/site-functions/_sparsight fish/vendor_completions.d/sparsight.fish \
        man/man1/sparsight.1 man/man5/sparsight-report.5 man/man7/sparsight-formats.7 man/man7/sparsight-guide.7 sparsight/pmpp.mtx; do
        grep -x "/usr/share/$file" files
    done
    make -s -C "$BUILDDIR" uninstall DESTDIR="$PWD/root" prefix=/usr exec_prefix=/usr bindir=/usr/bin libdir=/usr/lib \
        datarootdir=/usr/share datadir=/usr/share mandir=/usr/share/man includedir=/usr/include >>make.log 2>&1
    [ -z "$(find root -type f)" ]
}

@test "every file that is installed is in a package of Debian's and of the RPM's" {
    installed >files
    sed 's,^,/,' "$SRCDIR"/packaging/debian/*.install >debian
    sed -n '/^%files$/,$p' "$SRCDIR/packaging/sparsight.spec.in" | grep '^%{' |
        sed 's,%{_bindir},/usr/bin,; s,%{_datadir},/usr/share,; s,%{_mandir},/usr/share/man,; s,%{_includedir},/usr/include,
             s,%{_libdir},/usr/lib,; s/[*]$//' >rpm
    local list file line
    for list in debian rpm; do
        [ "$(wc -l <"$list")" -ge 5 ]
        while IFS= read -r file; do
            [[ $list$file != rpm*/sparsight-mpi* ]] || continue # the spec builds without it
            while IFS= read -r line; do
                [[ $file == "$line"* ]] && continue 2
            done <"$list"
            echo "$file is in nothing of $list"
            return 1
        done <files
    done
}

@test "the spec has the program's version, and rpmbuild can read it" {
    sparsight --version
    grep -x "Version:        $(sed 's/.* //' out)" "$BUILDDIR/packaging/sparsight.spec"
    need rpmspec
    rpmspec --parse "$BUILDDIR/packaging/sparsight.spec" >spec
    grep -x "Name:           sparsight" spec
}

@test "Spack's recipe is Python, names the version, and every switch that it sets is configure's" {
    need python3
    sparsight --version
    python3 - "$SRCDIR" "$(sed 's/.* //' out)" <<'END'
import ast, pathlib, re, sys, types
source = pathlib.Path(sys.argv[1])
tree = ast.parse((source / "packaging/spack/package.py").read_text())
recipe = next(node for node in tree.body if isinstance(node, ast.ClassDef))
calls = [node for node in ast.walk(recipe) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
versions = [call.args[0].value for call in calls if call.func.id == "version"]
assert sys.argv[2] in versions, versions
variants = {call.args[0].value for call in calls if call.func.id == "variant"}
switches = set(re.findall(r"AC_ARG_WITH\(\[([a-z0-9-]+)\]", (source / "configure.ac").read_text()))
assert variants and variants <= switches, variants - switches
assert switches - {"cuda", "cuda-arch", "loops"} <= variants, switches - variants

# The recipe itself, with stand-ins for Spack's own functions: each argument is a switch of configure.
class Package:
    def with_or_without(self, name):
        return ["--with-" + name if "+" + name in self.spec else "--without-" + name]

class Spec(set):
    class Value:
        def __init__(self, **members):
            self.__dict__.update(members)
    variants = {"cuda_arch": Value(value=("80", "90"))}
    def __getitem__(self, name):
        return self.Value(prefix="/opt/" + name)

package = types.ModuleType("spack.package")
def nothing(*words, **more):
    return lambda function: function
package.__dict__.update(AutotoolsPackage=Package, CudaPackage=object, Executable=None, join_path=lambda *names: "/".join(names),
                        **{name: nothing for name in ("license", "version", "variant", "depends_on", "run_after", "on_package_attributes")})
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), package
names = {}
exec((source / "packaging/spack/package.py").read_text(), names)
recipe = names["Sparsight"]()
for spec, wanted in ((set(), ["--without-curses", "--without-cuda"]),
                     ({"+suitesparse"}, ["--with-suitesparse", "CPPFLAGS=-I/opt/suite-sparse/include/suitesparse"]),
                     ({"+cuda", "+hdf5"}, ["--with-hdf5", "--with-cuda=/opt/cuda", "--with-cuda-arch=80,90"])):
    recipe.spec = Spec(spec)
    arguments = recipe.configure_args()
    assert set(wanted) <= set(arguments), arguments
    for argument in arguments:
        if argument == "CPPFLAGS=-I/opt/suite-sparse/include/suitesparse":
            continue
        assert re.match(r"--with(?:out)?-([a-z0-9-]+)", argument).group(1) in switches, argument
END
}

# A package without one of them would lack pictures, orders or formats that this build has.
@test "the packages of Debian and Fedora are built with every library that bootstrap knows" {
    local part parts
    parts=$(sed -n 's/^    for part in \(.*\); do$/\1/p' "$SRCDIR/bootstrap")
    [ "$(echo "$parts" | wc -w)" -ge 6 ]
    for part in $parts; do
        echo "$part"
        grep -qE "^ lib${part}2?-dev,$" "$SRCDIR/packaging/debian/control"
        grep -q "^BuildRequires: .*$part" "$SRCDIR/packaging/sparsight.spec.in"
    done
    # Fedora's package has no sparsight-mpi.
    grep -qx ' libptscotch-dev,' "$SRCDIR/packaging/debian/control"
    grep -qx ' libtrilinos-zoltan-dev,' "$SRCDIR/packaging/debian/control"
}

# The libraries of this build, one of a toolkit, and an unknown one.
@test "a bundle has the licence of every library in it, and is not made without one" {
    need dpkg-query
    sh "$SRCDIR/bundle/libraries" "$SPARSIGHT" >found
    [ "$(wc -l <found)" -ge 5 ]
    local library text
    mkdir -p toolkit/targets/lib folder
    echo "End user licence" >toolkit/EULA.txt
    touch toolkit/targets/lib/libcudart_static.a
    echo "$PWD/toolkit/targets/lib/libcudart_static.a" >>found
    sh "$SRCDIR/bundle/licences" folder found
    while read -r library; do
        text=$(sed -n "s/^${library##*/} //p" folder/licences/list)
        echo "$library: $text"
        [ -s "folder/licences/$text" ]
    done <found
    grep -x 'End user licence' folder/licences/cuda
    grep -qi 'redistribut\|permission' "folder/licences/$(sed -n 's/^libz.so.1 //p' folder/licences/list)"
    touch libunknown.so.1
    echo "$PWD/libunknown.so.1" >>found
    ! sh "$SRCDIR/bundle/licences" folder found 2>err || false
    grep 'no licence is known of: libunknown.so.1$' err
    mkdir texts
    echo "Do what you like" >texts/libunknown.so.1
    LICENCES=texts sh "$SRCDIR/bundle/licences" folder found
    grep -x 'Do what you like' folder/licences/libunknown.so.1
}

# As on a cluster with its own MPI: mpirun stays the cluster's, and MANPATH is extended where it is set.
@test "the module of a bundle finds its programs and manual anywhere, after those of the system" {
    local init=/usr/share/modules/init/sh
    [ -r "$init" ] || skip "no Environment Modules (apt-get install environment-modules)"
    mkdir -p 'made here/bin' 'made here/man' 'made here/modulefiles/sparsight' cluster
    cp "$SRCDIR/bundle/modulefile" 'made here/modulefiles/sparsight/1.2'
    printf '#!/bin/sh\necho bundle\n' | tee 'made here/bin/sparsight' >'made here/bin/mpirun'
    printf '#!/bin/sh\necho cluster\n' >cluster/mpirun
    chmod +x 'made here/bin/sparsight' 'made here/bin/mpirun' cluster/mpirun
    cat >try <<TRY
. $init
PATH=$PWD/cluster:\$PATH
module use '$PWD/made here/modulefiles'
module load sparsight
sparsight
mpirun
echo "manual: \$MANPATH"
module unload sparsight
command -v sparsight || echo gone
TRY
    MANPATH=/opt/man sh try >out 2>&1 || { cat out; false; }
    # Modules itself may add the system's manuals.
    grep -v '^manual: ' out | diff - <(printf '%s\n' bundle cluster gone)
    grep "^manual: .*/opt/man:$PWD/made here/man\$" out
    grep 'bundle/modulefile .*modulefiles/sparsight/' "$SRCDIR/Makefile.am"
}

# srun starts the program without bin/mpirun. Once only bin/mpirun named the libraries of the MPI.
@test "sparsight-mpi of a bundle has the MPI of its folder, whatever starts it" {
    mkdir -p 'made here/bin' 'made here/libexec' 'made here/mpi/bin' 'made here/mpi/etc' elsewhere
    cp "$SRCDIR/bundle/sparsight-mpi" "$SRCDIR/bundle/mpirun" 'made here/bin/'
    cp "$SRCDIR/bundle/mpi-environment" 'made here/mpi/environment'
    printf '#!/bin/sh\necho "program: $*"\nenv\n' >'made here/libexec/sparsight-mpi'
    printf '#!/bin/sh\necho "mpirun: $*"\nenv\n' >'made here/mpi/bin/mpirun'
    chmod +x 'made here'/*/sparsight-mpi 'made here/bin/mpirun' 'made here/mpi/bin/mpirun'
    (cd elsewhere && env -u OPAL_PREFIX LD_LIBRARY_PATH=/opt/lib PATH="$BATS_TEST_TMPDIR/made here/bin:$PATH" sparsight-mpi report 'a b') >program
    grep -x 'program: report a b' program
    env -u LD_LIBRARY_PATH 'made here/bin/mpirun' -n 2 x >mpirun
    grep -x 'mpirun: --oversubscribe --bind-to none -n 2 x' mpirun
    grep -x "LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/made here/lib:/opt/lib" program
    grep -x "LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/made here/lib" mpirun
    local file
    for file in program mpirun; do
        grep -x "OPAL_PREFIX=$BATS_TEST_TMPDIR/made here/mpi" "$file"
        grep -x "PMIX_INSTALL_PREFIX=$BATS_TEST_TMPDIR/made here/mpi" "$file"
        grep -x 'OMPI_MCA_ess_singleton_isolated=1' "$file"
    done
    # MPICH's Hydra needs no settings there, and is called directly.
    rmdir 'made here/mpi/etc'
    env -u OPAL_PREFIX 'made here/bin/mpirun' -n 2 x >mpirun
    grep -x 'mpirun: -n 2 x' mpirun
    ! grep '^OPAL_PREFIX=' mpirun || false
    grep 'libexec/sparsight-mpi' "$SRCDIR/Makefile.am"
}

@test "all packages name the same home page, and the tarball by the name that make dist gives it" {
    local home version file
    home=$(sed -n 's/^HOMEPAGE = //p' "$BUILDDIR/Makefile")
    version=$(sed -n 's/^PACKAGE_VERSION = //p' "$BUILDDIR/Makefile")
    [ -n "$home" ]
    for file in control copyright watch; do
        [ "$(grep -c UPSTREAM_HOME "$SRCDIR/packaging/debian/$file")" -eq 1 ]
    done
    grep -x "URL:            $home" "$BUILDDIR/packaging/sparsight.spec"
    grep -x 'Source0:        %{url}/releases/%{name}-%{version}.tar.xz' "$BUILDDIR/packaging/sparsight.spec"
    grep -x "    homepage = \"$home\"" "$SRCDIR/packaging/spack/package.py"
    grep -x "    url = \"$home/releases/sparsight-$version.tar.xz\"" "$SRCDIR/packaging/spack/package.py"
    grep -x "  home: $home" "$SRCDIR/packaging/conda/recipe.yaml"
    grep -x "  version: \"$version\"" "$SRCDIR/packaging/conda/recipe.yaml"
    grep -x '  # url: ${{ home }}/releases/sparsight-${{ version }}.tar.xz' "$SRCDIR/packaging/conda/recipe.yaml"
}

@test "the watch file finds a newer tarball on its page" {
    need uscan
    need python3
    local version newer
    version=$(sed -n 's/^PACKAGE_VERSION = //p' "$BUILDDIR/Makefile")
    newer=$version.1
    mkdir -p site/releases tree/debian
    touch "site/releases/sparsight-$version.tar.xz" "site/releases/sparsight-$newer.tar.xz" site/releases/sparsight-99.0-x86_64.tar.xz.sig
    python3 - >port <<'END' 3>&- &
import functools, http.server, sys
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(http.server.SimpleHTTPRequestHandler, directory="site"))
print(server.server_port, flush=True)
server.serve_forever()
END
    local server=$!
    until [ -s port ] || ! kill -0 "$server"; do sleep 0.1; done
    sed "s,UPSTREAM_HOME,http://127.0.0.1:$(cat port)," "$SRCDIR/packaging/debian/watch" >tree/debian/watch
    status=0
    env -u http_proxy -u https_proxy uscan --no-conf --no-download --report-status --package sparsight --upstream-version "$version" \
        --watchfile tree/debian/watch --no-symlink --dehs >dehs 2>&1 || status=$?
    kill "$server"
    cat dehs
    grep -F "<upstream-version>$newer</upstream-version>" dehs
    grep -F "/releases/sparsight-$newer.tar.xz</upstream-url>" dehs
}

@test "the recipe for conda-forge sets switches of configure, and is rendered if rattler-build is installed" {
    need python3
    local word
    for word in $(grep -o -- '--with[a-z0-9-]*' "$SRCDIR/packaging/conda/recipe.yaml"); do
        echo "$word"
        grep "^AC_ARG_WITH(\[$(echo "$word" | sed 's/--with\(out\)*-//')\]" "$SRCDIR/configure.ac"
    done
    python3 -c 'import rattler_build' 2>/dev/null || skip "no rattler-build (pip install py-rattler-build)"
    python3 - "$SRCDIR/packaging/conda/recipe.yaml" <<'END'
import sys, rattler_build
variants = rattler_build.VariantConfig.from_yaml("c_compiler: [gcc]\nc_compiler_version: ['13']\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.17']\n")
for rendered in rattler_build.Stage0Recipe.from_file(sys.argv[1]).render(variants):
    recipe = rendered.recipe.to_dict()
    assert recipe["package"]["name"] == "sparsight", recipe
    assert recipe["source"][0]["path"] == "../../build/sparsight-" + recipe["package"]["version"] + ".tar.xz", recipe
END
}

# The build commands are those of packaging/minimal, which runs them. This test checks that they use the results of make
# deb.
@test "the images are built from what make deb leaves, and install its packages" {
    local file
    for file in Dockerfile sparsight.def; do
        grep -q 'dpkg-source -x sparsight_\*.dsc tree' "$SRCDIR/packaging/containers/$file"
        grep -q 'apt-get build-dep -y --no-install-recommends ./tree' "$SRCDIR/packaging/containers/$file"
        grep -q 'dpkg-buildpackage -us -uc -b' "$SRCDIR/packaging/containers/$file"
        grep -q 'apt-get install -y .*/sparsight_\*.deb' "$SRCDIR/packaging/containers/$file"
        grep -q 'sparsight-mpi_\*.deb' "$SRCDIR/packaging/containers/$file"
    done
}
