#!/usr/bin/env bats
# The comparison of plans with counts, without a GPU: six launches that Nsight Compute 2025.3.1 counted on an H200
# (tests/gpu/profiled.csv, without some of its columns), and their plan.

setup() {
    : "${SRCDIR:?run by make check}" "${BUILDDIR:?run by make check}"
    cd "$BATS_TEST_TMPDIR"
    plan=$SRCDIR/tests/gpu/profiled.plan
    counted=$SRCDIR/tests/gpu/profiled.csv
}

compare() {
    run awk -f "$SRCDIR/tests/gpu/check_profiler.awk" "$@"
    echo "$output"
}

# The line of a kernel or counter, without its last field and further words; blanks are merged.
line() {
    tr -s ' ' <<<"$output" | grep "^$1 " | cut -d ' ' -f 1-6
}

@test "launches whose counts are all equal" {
    compare "$plan" "$counted"
    [ "$status" -eq 0 ]
    [ "$(line csr-scalar)" = "csr-scalar 2 6 6 0 0" ]
    [ "$(line csr-vector)" = "csr-vector 4 12 12 0 0" ]
    [ "$(line all)" = "all 6 18 18 0 0" ]
    # computed separately from the six ratios
    [ "$(tr -s ' ' <<<"$output" | sed -n 's/^all .* //p')" = 0.9302 ]
    [[ $output != *"not equal"* ]]
}

@test "an unequal count is reported with both figures and its launch" {
    sed '3s/\t7983\t/\t7984\t/' "$plan" >other
    compare other "$counted"
    [ "$status" -eq 1 ]
    [ "$(line csr-scalar)" = "csr-scalar 2 6 6 0 0" ]
    [ "$(line csr-vector)" = "csr-vector 4 12 11 1 0" ]
    [[ $output == *"largest difference 0.013%: gen:stencil27,n=8, csr-vector:threads=8,aligned=yes"* ]]
    [[ $output == *"not equal: gen:stencil27,n=8, csr-vector:threads=8,aligned=yes, f64, y =, csr_vector<8, false, double, int>: sectors_global_op_ld 7984 by the trace, 7983 counted"* ]]
}

@test "counts that depend on timing may exceed the plan, but not fall short of it; others must be equal" {
    sed '3s/\t-\t1762\t7983\t/\tother global_op_ld\t1760\t7983\t/' "$plan" >fewer
    compare fewer "$counted"
    [ "$status" -eq 0 ]
    [ "$(line csr-vector)" = "csr-vector 4 12 11 0 1" ]
    [ "$(line requests_global_op_ld)" = "requests_global_op_ld 6 5 0 1 11094" ]
    sed '3s/\t-\t1762\t7983\t/\tother global_op_ld\t1764\t7983\t/' "$plan" >more
    compare more "$counted"
    [ "$status" -eq 1 ]
    sed '3s/\t-\t1762\t7983\t128\t/\tother global_op_ld\t1762\t7983\t126\t/' "$plan" >stores
    compare stores "$counted"
    [ "$status" -eq 1 ]
}

@test "a launch that is missing, or one too many" {
    grep -v '^"5"' "$counted" >fewer
    compare "$plan" fewer
    [ "$status" -eq 1 ]
    [ "$(line all)" = "all 5 15 15 0 0" ]
    [[ $output == *"# 1 launches of the plan were not compared"* ]]
    sed '$d' "$plan" >short
    compare short "$counted"
    [ "$status" -eq 1 ]
    [[ $output == *"# launch 5, csr_vector<32,1,double,int>, is not in the plan"* ]]
}

@test "launches in another order, or on another grid, are not compared" {
    sed '2{h;d};3G' "$plan" >turned
    compare turned "$counted"
    [ "$status" -eq 1 ]
    [ "$(line all)" = "all 0 0 0 0 0" ]
    [[ $output == *"launch 0 should be csr_vector<8, false, double, int>, 16 blocks of 256, and is csr_scalar<double,int>, 2 of 256"* ]]
    sed '4s/\t64\t256\t/\t32\t256\t/' "$plan" >grid
    compare grid "$counted"
    [ "$status" -eq 1 ]
    [ "$(line all)" = "all 2 6 6 0 0" ]
}

@test "a counter that was not counted" {
    sed '4!s/\.sum",/.sum",/; s/"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"/"other"/' "$counted" >none
    compare "$plan" none
    [ "$status" -eq 1 ]
    [[ $output == *"launch 0 has no l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"* ]]
}

@test "the plan of all kernels with a trace is made without a GPU; each launch has all fields" {
    [ -x "$BUILDDIR/tests/gpu/profile" ]
    SPARSIGHT_MATRICES=none SRCDIR=$SRCDIR run "$BUILDDIR/tests/gpu/profile" -n own cuda "$SRCDIR/data/pmpp.mtx" gen:arrow,n=70
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(awk -F'\t' '{ print NF }' own | sort -u)" -eq 28 ]
    # rows 2 and 2, 3 entries: the requests of a thread a row on PMPP's matrix were counted by hand
    grep -q "^$SRCDIR/data/pmpp.mtx	csr-scalar	-	f64	y =	csr_scalar<double, int>	1	256	bank_conflicts	11	13	11	1	1	1	" own
}

@test "without a GPU, or Nsight Compute, it is skipped with the reason" {
    if [ -e /dev/nvidiactl ]; then skip "there may be a GPU here"; fi
    run sh "$SRCDIR/tests/gpu/check_profiler.sh" "$BUILDDIR/tests/gpu/profile"
    echo "$output"
    [ "$status" -eq 77 ]
    [[ $output == "1..0 # SKIP "* ]]
    run sh "$SRCDIR/tests/gpu/check_profiler.sh" "$BATS_TEST_TMPDIR/nothing"
    [ "$status" -eq 77 ]
    [[ $output == "1..0 # SKIP built without CUDA"* ]]
    printf '#!/bin/sh\nexit 0\n' >fake
    chmod +x fake
    NCU= PATH=/usr/bin:/bin run sh "$SRCDIR/tests/gpu/check_profiler.sh" "$BATS_TEST_TMPDIR/fake"
    if [ ! -x /usr/local/cuda/bin/ncu ]; then
        [ "$status" -eq 77 ]
        [[ $output == *"Nsight Compute is not installed"* ]]
    fi
}
