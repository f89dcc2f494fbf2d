#!/usr/bin/env bats
# What packages are made of, as far as it shows without building them: that takes minutes, and is `make deb`, `rpmbuild` and
# packaging/minimal. The version, and that each installed file belongs to a package.

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
        man/man1/sparsight.1 man/man5/sparsight-report.5 man/man7/sparsight-formats.7 sparsight/pmpp.mtx; do
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
            [[ $list$file != rpm*/sparsight-mpi* ]] || continue # which the spec builds without
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
assert switches - {"cuda", "cuda-arch"} <= variants, switches - variants

# The recipe itself, with stand-ins for what Spack gives it: each argument is a switch of configure.
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
package.__dict__.update(AutotoolsPackage=Package, CudaPackage=object, Executable=None, join_path=None,
                        **{name: nothing for name in ("license", "version", "variant", "depends_on", "run_after", "on_package_attributes")})
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), package
names = {}
exec((source / "packaging/spack/package.py").read_text(), names)
recipe = names["Sparsight"]()
for spec, wanted in ((set(), ["--without-curses", "--without-cuda"]),
                     ({"+cuda", "+hdf5"}, ["--with-hdf5", "--with-cuda=/opt/cuda", "--with-cuda-arch=80,90"])):
    recipe.spec = Spec(spec)
    arguments = recipe.configure_args()
    assert set(wanted) <= set(arguments), arguments
    for argument in arguments:
        assert re.match(r"--with(?:out)?-([a-z0-9-]+)", argument).group(1) in switches, argument
END
}

# A package without one of them would lack pictures, orders or formats that this build has.
@test "the packages of Debian and Fedora are built with every library that bootstrap knows" {
    local package
    for package in $(sed -n '/^test_packages/,/^}/p' "$SRCDIR/bootstrap" | grep -oE '\blib[a-z0-9]+-dev' | grep -vE 'cmocka|openmpi'); do
        echo "$package"
        grep -q "^ $package,$" "$SRCDIR/packaging/debian/control"
        [ "$package" != libptscotch-dev ] || continue # Fedora's package has no sparsight-mpi
        grep -q "^BuildRequires: .*$(printf '%s' "$package" | sed 's/^lib//; s/2*-dev$//')" "$SRCDIR/packaging/sparsight.spec.in"
    done
}
