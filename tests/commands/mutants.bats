#!/usr/bin/env bats
# The lists of deliberate faults that `make mutants` tries, and the script that tries them.

load ../support/helper

setup() {
    : "${SRCDIR:?run by make check}"
    cd "$BATS_TEST_TMPDIR"
    runner=$SRCDIR/tests/mutants/run.sh
}

# A tree with two sources, a test of each kind, and the files that make mutants needs to build them.
make_tree() {
    mkdir -p tree/src tree/tests/mutants
    cat >tree/src/add.c <<'END'
int add(int a, int b)
{
    return a + b;
}

int twice(int a)
{
    int sum = 0;
    for (int k = 0; k < 2; k++)
        sum += a;
    return sum;
}
END
    cat >tree/src/main.c <<'END'
#include <stdio.h>

int main(void)
{
    puts("hello");
    return 0;
}
END
    cat >tree/tests/add.c <<'END'
#include <stdio.h>
int add(int a, int b), twice(int a);

int main(void)
{
    int good = add(2, 3) == 5 && twice(0) == 0;
    printf("%s 1 - sums\n", good ? "ok" : "not ok");
    return !good;
}
END
    # bats would take the line for a test of this file
    # The interpreter is that of the build.
    printf '%s "it says hello" {\n    [ "$("$SPARSIGHT") $PYTHON" = "hello python3.x" ]\n}\n' @test >tree/tests/hello.bats
    cat >tree/configure <<'END'
#!/bin/sh
from=$(dirname "$0")/src
printf 'all: sparsight\nsparsight: %s/main.c\n\t%s -o $@ %s/main.c\n' "$from" "${CC:-cc}" "$from" >Makefile
printf 'tests/add: %s/add.c %s/../tests/add.c\n\tmkdir -p tests\n\t%s -o $@ %s/add.c %s/../tests/add.c\n' "$from" "$from" \
    "${CC:-cc}" "$from" "$from" >>Makefile
echo 'PYTHON = python3.x' >>Makefile
END
    chmod +x tree/configure
}

# run_mutants FILE...: the output of make mutants for the tree with these lists.
run_mutants() {
    MUTANTS_JOBS=${jobs:-1} MUTANTS_PATIENCE=2 run sh "$runner" tree build
    echo "$output"
}

mutant() {
    printf 'mutant %s\nfile %s\nold %s\nnew %s\ntest %s\n%s\n\n' "$@"
}

@test "the lists are well-formed, and every text occurs once in its file" {
    run sh "$runner" --check "$SRCDIR"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${output%% *}" -ge 150 ]
}

@test "a mutant that a test notices is caught, by either kind of test" {
    make_tree
    {
        mutant minus src/add.c "a + b" "a - b" tests/add ""
        mutant goodbye src/main.c '"hello"' '"goodbye"' tests/hello.bats ""
        mutant endless src/add.c "k < 2;" "k < 2 || a == 0;" tests/add ""
        mutant second src/add.c "a + b" "b + b" "tests/hello.bats tests/add" ""
    } >tree/tests/mutants/room.list
    jobs=2 run_mutants
    [ "$status" -eq 0 ]
    [[ $output == *"ok 1 - room/minus: caught by tests/add, sums"* ]]
    [[ $output == *"ok 2 - room/goodbye: caught by tests/hello.bats, it says hello"* ]]
    [[ $output == *"ok 3 - room/endless: caught by tests/add, which was stopped after "* ]]
    [[ $output == *"ok 4 - room/second: caught by tests/add, sums"* ]]
    [[ $output == *"# 4 mutants: 4 caught (100.0 %), 0 survived (0 of them explained), 0 could not be tried"* ]]
    cmp tree/src/add.c build/mutants/1/source/src/add.c
    cmp tree/src/add.c build/mutants/2/source/src/add.c
}

@test "a mutant that no test notices has survived, and a tenth may" {
    make_tree
    {
        mutant thrice src/add.c "k < 2;" "k < 3;" tests/add ""
        mutant commuted src/add.c "a + b" "b + a" tests/add "survives Addition commutes."
    } >tree/tests/mutants/room.list
    run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"not ok 1 - room/thrice: survived tests/add ("*"room.list:1)"* ]]
    [[ $output == *"ok 2 - room/commuted: survived, as explained: Addition commutes."* ]]
    [[ $output == *"# 2 mutants: 0 caught (0.0 %), 2 survived (1 of them explained), 0 could not be tried"* ]]

    for k in 1 2 3 4 5 6 7 8 9; do
        mutant "minus-$k" src/add.c "a + b" "a - b - $k" tests/add ""
    done >tree/tests/mutants/room.list
    mutant commuted src/add.c "a + b" "b + a" tests/add "survives Addition commutes." >>tree/tests/mutants/room.list
    run_mutants
    [ "$status" -eq 0 ]
    [[ $output == *"# 10 mutants: 9 caught (90.0 %), 1 survived (1 of them explained), 0 could not be tried"* ]]
}

@test "a mutant that cannot be tried is an error that names its line" {
    make_tree
    {
        mutant gone src/add.c "a * b" "a - b" tests/add ""
        mutant many src/add.c "int a" "long a" tests/add ""
        mutant broken src/add.c "a + b" "a +" tests/add ""
        mutant tested-by-none src/add.c "a + b" "a - b" tests/nothing ""
        mutant good src/add.c "a + b" "a - b" tests/add ""
        printf 'mutant good\nfile src/add.c\nold a + b\nnew a\ntest tests/add\n\nmutant short\nfile src/add.c\ntest tests/add\n'
        printf '\nmutant first\nfile src/add.c\nold a + b\nnew a\ntest tests/add\n'
        printf 'mutant glued\nfile src/add.c\nold a + b\nnew b\ntest tests/add\n'
    } >tree/tests/mutants/room.list
    run sh "$runner" --check tree
    echo "$output"
    [ "$status" -ne 0 ]
    [[ $output == *"room.list:1: room/gone: the text to replace is found nowhere in src/add.c"* ]]
    [[ $output == *"room.list:8: room/many: the text to replace is found 3 times in src/add.c"* ]]
    [[ $output == *"room.list:22: room/tested-by-none: there is no test tests/nothing"* ]]
    [[ $output == *"room.list:36: room/good: the id is taken"* ]]
    [[ $output == *"room.list:42: room/short: a mutant has the lines mutant, file, old, new and test"* ]]
    [[ $output == *"room.list:46: room/first: "*"room.list:51: an empty line is missing before this mutant"* ]]
    [[ $output == *"9 mutants of 1 files, 6 with a fault in the list"* ]]

    run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"not ok 1 - room/gone: does not apply: the text to replace is found nowhere in src/add.c ("*"room.list:1)"* ]]
    [[ $output == *"not ok 3 - room/broken: does not compile ("*"room.list:15)"* ]]
    [[ $output == *"ok 5 - room/good: caught by tests/add"* ]]
    [[ $output == *"# 9 mutants: 2 caught (22.2 %), 0 survived (0 of them explained), 7 could not be tried"* ]]
}

# faults_of FILE: each fault that its code can have, as "LINE KIND: OLD -> NEW".
faults_of() {
    python3 - "$SRCDIR/tests/mutants" "$1" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import faults
text = open(sys.argv[2]).read()
source = faults.Source(text, faults.structures_of([text]))
for line in range(1, text.count("\n") + 1):
    for fault in source.faults_of(line):
        print(f"{line} {fault.kind}: {text[fault.begin:fault.end]} -> {fault.text}")
END
}

@test "faults are in code only, and of every kind" {
    need python3
    cat >all.c <<'END'
#include "if (a == 1) call();"
#define LONG(a) if (a == 1) \
    call(a, 2)
/* if (a == 1) call(a, 2); */
struct pair { // a == 1
    int one, other, *at, sizes[8];
    double real;
};
static const int table[3] = {5, 0x10, 7u}, none[2] = {0};
static int swap(int a, int b) { return a - b; }
_Static_assert(sizeof(int) == 4, "4 bytes");
int all(struct pair *p, char *out)
{
    char text[64];
    assert(p->one == 1);
    puts("if (a == 1) call(a, 2);");
    text[0] = '"', text[1] = '1';
    if (p->one < 10 && p->other != 3) return swap(p->one + 1, p->other);
    p->real *= 1.5;
    free(out);
    va_end(fmin(a, b));
    return a > b || /* c == 1 */ c;
}
END
    run faults_of all.c
    echo "$output"
    [ "$status" -eq 0 ]
    # Nothing before line 9, in the prototype, or in an assertion; no size of an array.
    printf '%s\n' "${lines[@]}" | awk '{ print $1 }' | sort -nu | tr '\n' ' ' >numbers
    [ "$(cat numbers)" = "9 16 17 18 19 20 22 " ]
    while IFS= read -r fault; do
        printf '%s\n' "${lines[@]}" | grep -qxF "$fault" || { echo "missing: $fault"; false; }
    done <<'END'
9 constant: 5 -> 6
9 constant: 0x10 -> 17
9 constant: 7u -> 8u
17 constant: 0 -> 1
18 negated: p->one < 10 && p->other != 3 -> !(p->one < 10 && p->other != 3)
18 dropped: p->one < 10 && p->other != 3 -> true
18 dropped: p->one < 10 && p->other != 3 -> false
18 dropped:  && p->other != 3 -> 
18 dropped: p->one < 10 &&  -> 
18 negated: < -> >=
18 negated: != -> ==
18 off-by-one: < -> <=
18 off-by-one:  + 1 -> 
18 field: one -> other
18 constant: 10 -> 11
18 swapped: p->one + 1, p->other -> p->other, p->one + 1
19 constant: 1.5 -> 3.0
20 missing: free(out) -> 
22 dropped:  || /* c == 1 */ c -> 
22 dropped: a > b || /* c == 1 */  -> 
END
    # A field is replaced by one of its type: an integer never by an array, pointer or real number.
    [[ $output != *"-> at"* && $output != *"-> sizes"* && $output != *"-> real"* ]]
    # No fault is within a string.
    [ "$(printf '%s\n' "${lines[@]}" | grep '^16 ')" = '16 missing: puts("if (a == 1) call(a, 2);") -> ' ]
    [ "$(printf '%s\n' "${lines[@]}" | grep -c '^17 ')" -eq 2 ]
}

# A sample of the tree, as a list.
sample() {
    python3 "$SRCDIR/tests/mutants/sample.py" tree build "$@"
}

@test "a sample is the same for the same seed and sources, and of lines that no list names" {
    need python3
    make_tree
    mutant minus src/add.c "a + b" "a - b" tests/add "" >tree/tests/mutants/room.list
    sample 3 1 >first
    sample 3 1 >again
    sample 3 2 >other
    cmp first again
    [ "$(grep -c ^mutant first)" -eq 3 ]
    run cmp first other
    [ "$status" -ne 0 ]
    # All possible faults: one a line.
    sample 100 1 >all
    cat all
    grep -qx 'test tests/add' all
    [ "$(grep -c ^mutant all)" -eq 4 ]
    run grep -x 'old .*a + b.*' all
    [ "$status" -ne 0 ]
    # A comment elsewhere in the file changes none of them.
    sed -i '1i /* A sum (a, b) of 2 numbers. */' tree/src/add.c
    sample 3 1 | grep -v ^mutant | cmp - <(grep -v ^mutant first)
}

@test "a sample is tried and counted" {
    need python3
    make_tree
    mutant minus src/add.c "a + b" "a - b" tests/add "" >tree/tests/mutants/room.list
    SAMPLE=100 SEED=1 run_mutants
    [[ $output == *"1..4"* ]]
    [[ $output =~ "# "([0-9]+)" caught, "([0-9]+)" survived, "([0-9]+)" do not compile, 0 equivalent: " ]]
    [ $((BASH_REMATCH[1] + BASH_REMATCH[2] + BASH_REMATCH[3])) -eq 4 ]
    [ "${BASH_REMATCH[2]}" -gt 0 ]
    [ "$(grep -c '^not ok .*: survived' <<<"$output")" -eq "${BASH_REMATCH[2]}" ]
    [ "$(grep -c '^ok .*: caught by tests/' <<<"$output")" -eq "${BASH_REMATCH[1]}" ]
    survived=${BASH_REMATCH[2]}
    # The line of each is shown before and after.
    [ "$(grep -c '^# -' <<<"$output")" -eq 4 ]
    [ "$(grep -c '^# +' <<<"$output")" -eq 4 ]
    cmp tree/src/add.c build/mutants/1/source/src/add.c

    # A survivor that a reader found to be equivalent is counted as such, whatever the others are.
    name=$(sed -n 's,^not ok .* sample/\(.*\): survived.*,\1,p' <<<"$output" | head -n 1)
    awk -v name="$name" 'BEGIN { RS = "" } $2 == name { print $0 "\nsurvives It does the same." }' \
        build/mutants/original/tests/mutants/sample.list >tree/tests/mutants/equivalent
    SAMPLE=100 SEED=1 run_mutants
    [[ $output == *"$name: equivalent: It does the same. (src/"* ]]
    [[ $output == *" $((survived - 1)) survived, "*" 1 equivalent: "* ]]
    run sh "$runner" --check tree
    [ "$status" -eq 0 ]
    [[ $output == "2 mutants of "* ]]
}

@test "a test that fails with unchanged sources catches no fault of a sample" {
    need python3
    make_tree
    mutant minus src/add.c "a + b" "a - b" tests/add "" >tree/tests/mutants/room.list
    sed -i 's/add(2, 3) == 5/add(2, 3) == 6/' tree/tests/add.c
    SAMPLE=100 run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"# tests/add fails as the sources are: not ok 1 - sums"* ]]
    [[ $output != *"caught by tests/add"* ]]
}

@test "a sample is a number" {
    SAMPLE=many run sh "$runner" "$SRCDIR" build
    [ "$status" -ne 0 ]
    [[ $output == *"SAMPLE is a number of faults, not many"* ]]
}

@test "a test that fails without a mutant catches none" {
    make_tree
    mutant minus src/add.c "a + b" "a - b" tests/add "" >tree/tests/mutants/room.list
    sed -i 's/add(2, 3) == 5/add(2, 3) == 6/' tree/tests/add.c
    run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"# tests/add fails as the sources are: "* ]]
    [[ $output == *"not ok 1 - room/minus: tests/add fails as the sources are ("* ]]
}

@test "patterns choose mutants, and changed sources are built anew" {
    make_tree
    mutant minus src/add.c "a + b" "a - b" tests/add "" >tree/tests/mutants/room.list
    mutant goodbye src/main.c '"hello"' '"goodbye"' tests/hello.bats "" >tree/tests/mutants/other.list
    MUTANTS='other/g*' run_mutants
    [ "$status" -eq 0 ]
    [[ $output == *"ok 1 - other/goodbye: caught"* ]]
    [[ $output != *minus* ]]
    MUTANTS='nothing/*' run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"no mutant is called nothing/*"* ]]

    sed -i 's/add(2, 3) == 5/add(0, 0) == 0/' tree/tests/add.c
    MUTANTS='room/*' run_mutants
    [ "$status" -ne 0 ]
    [[ $output == *"not ok 1 - room/minus: survived"* ]]
}

@test "unit tests of a copied build folder run the code of that copy" {
    need ldd
    [ -e "$BUILDDIR/libsparsight-check.so" ] || skip "unit tests are linked with the code itself"
    [ -x "$BUILDDIR/tests/formats/bsr" ] || skip "built without cmocka"
    mkdir -p copy/tests/formats
    cp "$BUILDDIR/tests/formats/bsr" copy/tests/formats/
    cp "$BUILDDIR/libsparsight-check.so" copy/
    ldd copy/tests/formats/bsr | grep "=> $PWD/copy/.*libsparsight-check.so"
}
