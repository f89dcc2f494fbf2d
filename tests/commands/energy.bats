#!/usr/bin/env bats
# report --energy: the energy of products, with a folder that imitates RAPL's counters.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export SPARSIGHT_POWERCAP=$PWD/powercap
}

@test "--energy reports joules by the processor's counters, and saved reports show them again" {
    need jq
    need_python os
    "$python" "$SRCDIR/tests/support/powercap.py" powercap &
    local counter=$!
    until [ -s powercap/intel-rapl:0/energy_uj ]; do kill -0 $counter && sleep 0.01; done
    sparsight report --energy=0.2 --kernels=cpu/csr-seq,cpu/coo-seq --limit=8M --only=matrix --format=json gen:laplace2d,n=30
    kill $counter
    [ "$status" -eq 0 ]
    # nnz = 5 n^2 - 4 n = 4380; the numbers of a kernel depend on each other, and not on the time
    jq -e '[.matrices[0].kernels[].energy] | length == 2 and all(.meter == "RAPL, 1 package" and .unavailable == null
        and .processes == null and .products > 0 and .seconds > 0 and .tick_ms > 0 and .step_mj > 0 and .load >= 0)' out
    jq -e 'def near(a; b): (a - b | fabs) <= 1e-9 * (b | fabs);
        [.matrices[0].kernels[].energy] | all(
            near(.gross_mj * .products; 1e3 * .watts * .seconds)
            and near(.net_mj; .gross_mj - 1e3 * .idle_watts * .seconds / .products)
            and near(.entry_pj; 1e9 * .net_mj / 4380)
            and near(.gflops_per_watt; 2 * 4380 / .gross_mj * 1e-6)
            and near(.error_mj * .products; ((.watts * .tick_ms | . * .)
                + (1e3 * .idle_spread_watts * .seconds | . * .) | sqrt)))' out
    jq -r '.matrices[0].kernels[] | .energy | to_entries[] | "energy.\(.key) \(.value // "")"' out >mine
    mv out saved.json
    sparsight report --results=saved.json --format=csv
    "$python" - <<'END'
import csv
with open("mine") as file:
    mine = [line.rstrip("\n").split(" ", 1) for line in file]
with open("out") as file:
    read = [[key, row[key]] for row in csv.DictReader(file) for key in row if key.startswith("energy.")]
assert len(mine) == len(read) == 32
for (key, value), (other, again) in zip(mine, read):
    assert key == other, (key, other)
    assert value == again or abs(float(value) - float(again)) <= 1e-9 * abs(float(value)), (key, value, again)
END
    sparsight report --results=saved.json
    grep -q '^Energy, f64 .* mJ .* net mJ .* W .* idle W .* pJ/entry' out
    grep -q 'RAPL, 1 package: a tick of .*; idle .* W +- .* W' out
}

@test "without counters --energy gives the reason, and kernels have times" {
    need jq
    sparsight report --energy --kernels=cpu/csr-seq,cpu/csr-omp --limit=8M --only=matrix --format=json gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels | length == 2 and all(.time_us > 0 and .energy.net_mj == null and .energy.gross_mj == null
        and .energy.products == null and (.energy.unavailable | startswith("no RAPL here")))' out
    sparsight report --energy --kernels=cpu/csr-seq,cpu/csr-omp --limit=8M --only=matrix gen:laplace2d,n=30
    tr -s ' \n' ' ' <out | grep -q 'Energy, f64 energy of cpu/csr-seq and 1 other kernel: no RAPL here'
    sparsight report --energy --cold --repeat=1 --kernels=cpu/csr-seq --limit=8M --only=matrix gen:laplace2d,n=30
    tr -s ' \n' ' ' <out | grep -q 'energy of cpu/csr-seq: .*leave out --cold'
}

@test "a report without --energy says nothing about it" {
    need jq
    sparsight report --kernels=cpu/csr-seq --limit=8M --only=matrix --format=json gen:laplace2d,n=30
    jq -e '.matrices[0].kernels[0] | has("energy") and .energy == null' out
    sparsight report --kernels=cpu/csr-seq --limit=8M --only=matrix gen:laplace2d,n=30
    ! grep -qi energy out
}

@test "--energy takes seconds above 0" {
    for seconds in 0 -1 x nan 1e9 2s; do
        sparsight report --energy=$seconds gen:laplace2d,n=3
        [ "$status" -eq 2 ]
        grep -q -- "--energy=$seconds: give the seconds for each kernel, as 2.5" err
    done
}
