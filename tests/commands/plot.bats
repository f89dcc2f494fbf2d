#!/usr/bin/env bats
# Pictures: exact counts, forms, output in a terminal, and refusals.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export LC_ALL=C.UTF-8
    unset COLUMNS
}

# True if this build has cairo, and so writes PNG and PDF.
has_cairo() {
    grep -q '^#define HAVE_CAIRO 1' "$BUILDDIR/config.h"
}

# counted SPEC OPTIONS...: the pattern of a generated matrix has the counts of brute force, in every form.
counted() {
    "$SPARSIGHT" gen "$1" -o matrix.mtx
    counted_as matrix.mtx matrix.mtx "${@:2}"
}

# counted_as ENTRIES MATRIX OPTIONS...: the same for entries as plot_counts.py takes them.
counted_as() {
    local entries=$1 matrix=$2
    shift 2
    sparsight plot "$matrix" -o picture.svg "$@"
    show
    [ "$status" -eq 0 ]
    if has_cairo; then
        sparsight plot pattern "$matrix" -o picture.png "$@"
        show
        [ "$status" -eq 0 ]
        python3 "$SRCDIR/tests/commands/plot_counts.py" "$entries" picture.svg picture.png
    else
        python3 "$SRCDIR/tests/commands/plot_counts.py" "$entries" picture.svg
    fi
}

@test "every dot of a pattern has the exact count of its positions" {
    need python3
    counted laplace2d,n=6
    counted laplace2d,n=6 --background=dark
    counted powerlaw,scale=11
    counted random,m=500,n=7000,mean=9 --size=400x300
    counted random,m=40,n=90000,mean=300 --size=333x211
    counted random,m=30000,n=25,mean=3
    counted arrow,n=4000 --size=701x603
    counted dense,n=1
}

# From 2^23 entries on, counts are by cells of the pyramid, whose sizes are powers of two.
@test "dots of many entries are whole cells of the pyramid, and as exact" {
    need python3
    counted_as 600000,7,7 gen:banded,n=600000,lower=7,upper=7 --size=500x500
    grep -q 'a dot is [0-9,]* x [0-9,]* positions' picture.svg
}

@test "every figure is well-formed SVG with real text, light and dark" {
    need python3
    "$SPARSIGHT" gen powerlaw,scale=8 -o matrix.mtx
    "$SPARSIGHT" report --limit=8M --format=json --kernels='cpu/csr-seq cpu/csr-omp cpu/ell-seq' --repeat=3 -o runs.json matrix.mtx
    local what background options count=0
    for what in pattern rows columns layout kernels roofline break-even solve levels blocks spgemm rounding speed-up; do
        for background in light dark; do
            options=
            case $what in
            kernels | roofline) options=--results=runs.json ;;
            speed-up) options='runs.json --kernels=cpu/csr-omp,cpu/csr-seq,cpu/ell-seq' ;;
            esac
            operand=matrix.mtx
            [ $what != speed-up ] || operand=
            sparsight plot $what $operand $options --background=$background -o $what-$background.svg
            echo "$what $background"
            show
            [ "$status" -eq 0 ]
            python3 - $what-$background.svg <<'PYTHON'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
ns = "{http://www.w3.org/2000/svg}"
assert root.tag == ns + "svg" and root.find(ns + "title").text
texts = [t.text for t in root.iter(ns + "text")]
assert len(texts) > 5 and all(texts), texts
for node in root.iter():
    for name in ("x", "y", "width", "height"):
        value = node.get(name)
        assert value is None or -2 <= float(value) <= 2000, (node.tag, name, value)
PYTHON
            count=$((count + 1))
        done
        ! cmp -s $what-light.svg $what-dark.svg
    done
    [ "$count" -eq 26 ]
    grep -q '>matrix<' rows-light.svg
    grep -q 'cpu/ell-seq' kernels-light.svg
    grep -q '>row_ptr<' layout-light.svg
    grep -q 'mean row length' speed-up-light.svg
    grep -q 'products n' break-even-light.svg
}

# The entries are powers of two: half of the errors are 0, and 2^17 overflows in fp16.
@test "the figure of precisions names each type, exact ones and those that overflow" {
    cat >powers.mtx <<'END'
%%MatrixMarket matrix coordinate real general
2 2 2
1 1 131072
2 2 0.5
END
    sparsight plot rounding -o rounding.svg powers.mtx
    show
    [ "$status" -eq 0 ]
    grep -q '>f64, exact<' rounding.svg
    grep -q '>fp16, overflows<' rounding.svg
    [ "$(grep -c '>bf16' rounding.svg)" -ge 1 ]
    sparsight plot rounding -o none.svg gen:random,m=5,n=5,mean=0
    [ "$status" -eq 1 ]
    grep -q 'no finite values' err
}

# On a grid of n x n points with 5-point stencils, the levels of a triangle are the antidiagonals, and the graph has two colours.
@test "the figure of levels has those of a grid, and refuses other shapes" {
    sparsight plot levels -o levels.svg gen:laplace2d,n=12
    show
    [ "$status" -eq 0 ]
    grep -q '>Lower triangle: 23 levels, the largest 12 rows, half the rows in 9 or more<' levels.svg
    grep -q '>Upper triangle: 23 levels' levels.svg
    grep -q '>natural order: 2<' levels.svg
    sparsight plot levels -o one.svg gen:permutation,n=1
    [ "$status" -eq 0 ]
    grep -q '>Lower triangle: 1 level, ' one.svg
    sparsight plot levels -o none.svg gen:random,m=5,n=6,mean=2
    [ "$status" -eq 1 ]
    grep -q 'not square' err
    [ ! -e none.svg ]
}

# 20 blocks of 3 x 3 in 180 entries: 20 (4 + 72) / (180 x 12) = 0.70 of the bytes of single entries.
@test "the figure of blocks names the size of the blocks, with their bytes" {
    sparsight plot blocks -o blocks.svg gen:blocks,n=30,size=3,mean=2
    show
    [ "$status" -eq 0 ]
    grep -q '>Dense blocks: 3 x 3 take the fewest bytes; 0% of their positions are empty<' blocks.svg
    [ "$(grep -o '>[0-9.]*</text>' blocks.svg | grep -c '>0.70<')" -eq 1 ]
    sparsight plot blocks -o single.svg gen:permutation,n=50
    grep -q 'no size takes fewer bytes than single entries' single.svg
    sparsight plot blocks -o none.svg gen:random,m=5,n=5,mean=0
    [ "$status" -eq 1 ]
    grep -q 'no entries' err
}

# A permutation times itself has as many entries and multiplications as rows. A matrix that is not square has no square.
@test "the figure of sparse products has each product that exists" {
    sparsight plot spgemm -o square.svg gen:permutation,n=50
    show
    [ "$status" -eq 0 ]
    for product in 'A A' 'A^T A' 'A A^T'; do
        grep -qF ">$product: 50 multiplications, 50 entries, compression 1<" square.svg
    done
    sparsight plot spgemm -o wide.svg gen:random,m=5,n=9,mean=2
    [ "$status" -eq 0 ]
    ! grep -q '>A A:' wide.svg
    grep -q '>A^T A: ' wide.svg
    sparsight plot spgemm -o none.svg gen:random,m=5,n=5,mean=0
    [ "$status" -eq 1 ]
}

# A kernel without a time for any matrix has no line in the legend.
@test "the legend of speed-ups has no empty lines" {
    "$SPARSIGHT" gen powerlaw,scale=6 -o matrix.mtx
    "$SPARSIGHT" report --limit=8M --format=json --kernels='cpu/csr-seq cpu/ell-seq' --repeat=3 -o runs.json matrix.mtx
    sparsight plot speed-up --kernels='cpu/csr-seq cpu/coo-seq cpu/jds-seq cpu/ell-seq' --ascii runs.json
    show
    [ "$status" -eq 0 ]
    [[ "$(sed -n 1p out)" = *"csr-seq against mean row length, 1 matrix"* ]]
    [[ "$(sed -n 2p out)" = *"over cpu/ell-seq: 1 matrix, geometric mean"* ]]
    ! grep -q 'over cpu/coo-seq' out
}

# At a size that is too small for everything, the rest is legible.
@test "small pictures have round labels, and a name for each letter" {
    need python3
    sparsight plot rows --size=480x320 -o rows.svg gen:random,m=2000,n=2000,mean=700,spread=650
    [ "$status" -eq 0 ]
    sparsight plot roofline --size=480x320 -o roofline.svg "$SRCDIR/data/demo.mtx.gz"
    [ "$status" -eq 0 ]
    python3 - <<'PYTHON'
import itertools, xml.etree.ElementTree as tree

def texts(name):
    found = tree.parse(name).getroot().iter("{http://www.w3.org/2000/svg}text")
    return [(t.text, float(t.get("x")), float(t.get("y"))) for t in found]

# The labels of the bins follow the title of the counts, and ascend by 1, 2 or 5 times a power of ten bins.
said = [t[0] for t in texts("rows.svg")]
labels = [int(t.replace(",", "")) for t in said[said.index("rows") + 1:said.index("entries a row", said.index("rows"))]]
steps = {b - a for a, b in zip(labels, labels[1:])}
assert len(labels) >= 3 and len(steps) == 1, labels
step = steps.pop()
assert all(label % step == 0 for label in labels) and str(step).rstrip("0") in ("1", "2", "25", "5"), labels

letters = [t for t in texts("roofline.svg") if len(t[0]) == 1 and t[0].isalpha()]
names = [t[0] for t in texts("roofline.svg") if t[0][1:2] == " " and "/" in t[0]]
assert len(letters) >= 5 and sorted(t[0] for t in letters) == sorted(name[0] for name in names), (letters, names)
for a, b in itertools.combinations(letters, 2):
    assert abs(a[1] - b[1]) >= 5 or abs(a[2] - b[2]) >= 5, (a, b)
PYTHON
}

# The speeds of the bars and the speed-ups of the points are those of the report.
@test "figures of runs have the numbers of the saved report" {
    need jq
    "$SPARSIGHT" gen powerlaw,scale=8 -o matrix.mtx
    "$SPARSIGHT" report --limit=8M --format=json --kernels='cpu/csr-seq cpu/ell-seq' --repeat=3 -o runs.json matrix.mtx
    sparsight plot kernels --results=runs.json matrix.mtx -o bars.svg
    [ "$status" -eq 0 ]
    local speed
    for speed in $(jq -r '.matrices[0].kernels[].gflops' runs.json); do
        grep -q ">$(printf %.3g "$speed")<" bars.svg
    done
    sparsight plot speed-up --kernels='cpu/csr-seq cpu/ell-seq' runs.json -o points.svg
    [ "$status" -eq 0 ]
    speed=$(jq '[.matrices[0].kernels[].time_us] | .[1] / .[0]' runs.json)
    echo "$speed"
    grep -q "over cpu/ell-seq: 1 matrix, geometric mean $(printf %.3g "$speed")<" points.svg
}

@test "cairo is loaded for PNG and PDF only, and is named if it is missing" {
    has_cairo || skip "built without cairo"
    write_matrix some.mtx
    export SPARSIGHT_CAIRO=$PWD/missing.so
    sparsight plot some.mtx -o picture.svg
    [ "$status" -eq 0 ]
    local ending
    for ending in png pdf; do
        sparsight plot some.mtx -o picture.$ending
        [ "$status" -eq 1 ]
        grep -qx "cairo is not found: SPARSIGHT_CAIRO says $PWD/missing.so, which is not there" err
        [ ! -e picture.$ending ]
    done
}

@test "PDF has real text, and PNG and PDF name cairo if it is missing" {
    "$SPARSIGHT" gen laplace2d,n=9 -o mesh.mtx
    sparsight plot mesh.mtx -o picture.pdf
    show
    if has_cairo; then
        [ "$status" -eq 0 ]
        [ "$(head -c 5 picture.pdf)" = "%PDF-" ]
        need pdftotext
        pdftotext picture.pdf words
        grep -q 'mesh' words
        grep -q '81 x 81, 369 entries' words
        grep -q 'entries per position' words
    else
        [ "$status" -eq 1 ]
        grep -q 'libcairo2-dev' err
        [ ! -e picture.pdf ]
        sparsight plot mesh.mtx --format=png
        [ "$status" -eq 1 ]
        grep -q 'libcairo2-dev' err
    fi
    sparsight plot mesh.mtx --format=svg
    [ "$status" -eq 0 ]
    grep -q '</svg>' out
}

@test "without -o a pattern is drawn in the terminal, in ASCII or in Braille" {
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 2 1\n3 3 1\n1 3 -1\n' >three.mtx
    sparsight plot three.mtx --ascii --size=40x16
    show
    [ "$status" -eq 0 ]
    # 3 x 3 positions fit, each 4 columns wide and 2 lines high.
    [ "$(grep -cxE '( +1)? *\|@{4} {4}@{4}\|' out)" -eq 2 ]
    [ "$(grep -cxE '( +2)? *\| {4}@{4} {4}\|' out)" -eq 2 ]
    [ "$(grep -cxE '( +3)? *\| {8}@{4}\|' out)" -eq 2 ]
    # Colours of signs: the highest level is positive, the lowest negative.
    sparsight plot three.mtx --ascii --size=40x16 --by=sign
    [ "$(grep -cxE '( +1)? *\|@{4} {4}\.{4}\|' out)" -eq 2 ]
    # Colours of owners: the letter names the part, in lower case for remote entries. A position is 6 columns wide and 3
    # lines high.
    sparsight plot three.mtx --ascii --size=40x18 --by=owner --parts=3 --partition=natural
    [ "$(grep -cxE '( +1)? *\|A{6} {6}a{6}\|' out)" -eq 3 ]
    [ "$(grep -cxE '( +2)? *\| {6}B{6} {6}\|' out)" -eq 3 ]
    [ "$(grep -cxE '( +3)? *\| {12}C{6}\|' out)" -eq 3 ]
    LC_ALL=C sparsight plot three.mtx --size=40x16
    LC_ALL=C grep -q '@@@@' out
    absent_bytes out
    sparsight plot three.mtx --size=40x16
    grep -q '⣿' out
    ! grep -q $'\033' out
}

absent_bytes() {
    if LC_ALL=C grep -q '[^ -~]' "$1"; then
        return 1
    fi
}

@test "kitty and sixels carry the pixels on request" {
    "$SPARSIGHT" gen laplace2d,n=9 -o mesh.mtx
    sparsight plot mesh.mtx --graphics=kitty
    [ "$status" -eq 0 ]
    grep -q $'\033_Ga=t,f=100' out
    grep -q $'\033_Ga=p,' out
    grep -q '81 x 81, 369 entries' out
    sparsight plot mesh.mtx --graphics=sixel
    [ "$status" -eq 0 ]
    LC_ALL=C grep -q $'\033P0;1;0q' out
}

refused() {
    local code=$1 words=$2
    shift 2
    sparsight plot "$@"
    show
    [ "$status" -eq "$code" ]
    grep -qE -- "$words" err
    [ ! -s out ]
}

@test "impossible pictures are refused, with a remedy" {
    "$SPARSIGHT" gen laplace2d,n=4 -o mesh.mtx
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 1\n' >complex.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' >none.mtx
    refused 2 "no matrix is given"
    refused 2 "no picture is called 'patern'; did you mean pattern" patern mesh.mtx
    refused 2 "rows shows one matrix, but 2 are given" rows mesh.mtx mesh.mtx
    refused 2 "give a width and a height" mesh.mtx --size=12
    refused 2 "give a width and a height" mesh.mtx --size=99999x10
    refused 2 "160 to 16384 pixels" mesh.mtx --size=20x20 -o small.svg
    refused 2 "count, value, sign or owner" mesh.mtx --by=colour
    refused 2 "needs --parts" mesh.mtx --by=owner
    refused 2 "needs --by=owner" mesh.mtx --parts=2
    refused 2 "needs --by=owner" mesh.mtx --partition=natural
    refused 2 "--parts names 2" mesh.mtx --by=owner --parts=2,4
    refused 2 "--partition names 2" mesh.mtx --by=owner --parts=2 --partition='natural entries'
    refused 1 "absent.txt: No such file" mesh.mtx --by=owner --partition=file:path=absent.txt
    refused 2 "a row and a column" layout mesh.mtx --at=0,1
    refused 2 "position .17, 1. is outside the matrix" layout mesh.mtx --at=17,1
    refused 2 "the ending does not say" mesh.mtx -o picture.gif
    refused 2 "no form of pictures is called 'gif'" mesh.mtx --format=gif
    refused 2 "names 2 formats" layout mesh.mtx --storage='csr ell'
    refused 1 "complex values have no signs" complex.mtx --by=sign
    refused 1 "no rows or no columns" rows none.mtx
    refused 1 "no matrix has times of two of the kernels" speed-up mesh.mtx --kernels='cpu/csr-seq'
    refused 1 "mesh.json" speed-up mesh.json
    [ ! -e small.svg ]
    [ ! -e picture.gif ]
    sparsight plot none.mtx -o none.svg
    [ "$status" -eq 0 ]
    sparsight plot complex.mtx --by=value -o complex.svg
    [ "$status" -eq 0 ]
}

@test "kernels and roofline name the processor and the GPU of the bars, or the saved report" {
    need jq
    local processor what
    processor=$(sed -n 's/^model name[[:space:]]*: *//p' /proc/cpuinfo | head -n 1)
    [ -n "$processor" ] || processor=processor
    for what in kernels roofline; do
        sparsight plot $what gen:laplace2d,n=30 -o k.svg
        [ "$status" -eq 0 ]
        grep -qF ">$processor" k.svg
        grep -q '>NVIDIA H200 SXM' k.svg
    done
    sparsight plot kernels --kernels=csr-seq --repeat=2 gen:laplace2d,n=30 -o k.svg
    grep -qF ">$processor<" k.svg
    ! grep -q 'NVIDIA' k.svg
    "$SPARSIGHT" report --limit=8M --format=json --kernels=csr-seq --repeat=2 gen:laplace2d,n=30 | jq '.host.cpu = "Another Processor"' >r.json
    sparsight plot kernels --results=r.json gen:laplace2d,n=30 -o k.svg
    grep -q '>r.json: Another Processor<' k.svg
}

@test "zeros have a colour of their own in the legend of signs if the matrix has some" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 4' '1 1 1' '2 2 0' '3 3 -1' '1 3 2' >signs.mtx
    sparsight plot --by=sign signs.mtx -o z.svg
    grep -q '>no sign<' z.svg
    sparsight plot --by=sign --drop-zeros signs.mtx -o z.svg
    grep -q 'positive share' z.svg
    ! grep -q '>no sign<' z.svg
}

@test "names of a survey's matrices are below its points" {
    need python3
    "$SPARSIGHT" survey -o s.jsonl --plots=pictures --limit=64M --repeat=2 --kernels=cpu/csr-seq gen:arrow,n=3000 gen:laplace2d,n=9 gen:laplace2d,n=60 >out
    python3 - <<'END'
import re
from xml.etree import ElementTree
svg = "{http://www.w3.org/2000/svg}"
root = ElementTree.parse("pictures/bandwidth.svg").getroot()
names = [t for t in root.iter(svg + "text") if t.text and ("arrow" in t.text or "laplace" in t.text)]
assert len(names) == 3 and all(t.get("text-anchor") == "end" for t in names)
# They are written upwards: they end at the y of their translation, and begin below it by their length.
ends = [float(re.match(r"translate\(([\d.]+),([\d.]+)\) rotate\(-90\)", t.get("transform")).group(2)) for t in names]
marks = [float(r.get("y")) + float(r.get("height")) for r in list(root.iter(svg + "rect"))[1:]]
marks += [float(p.split(",")[1]) for line in root.iter(svg + "polyline") for p in line.get("points").split() if line.get("stroke") != "none"]
title = [float(t.get("y")) for t in root.iter(svg + "text") if t.text and t.text.startswith("matrices by increasing")]
assert max(marks) <= min(ends) + 1, (max(marks), ends)
assert len(title) == 1 and all(end + 7.7 * len(t.text) <= title[0] for end, t in zip(ends, names)), (title, ends)
END
}
