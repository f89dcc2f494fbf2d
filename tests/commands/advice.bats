# The advice of reports: the recommended kernel, the reason, and changes that would overturn it.
bats_require_minimum_version 1.5.0
load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# Without nvcc there are no forecasts for GPUs.
need_forecasts() {
    sparsight report --format=json gen:laplace2d,n=4
    jq -e '.matrices[0].advice.f64.gpu' out >/dev/null || skip "this build forecasts nothing"
}

@test "kernels that were timed are advised by their times, with conversion counted" {
    sparsight report --limit=8M --format=json --kernels='csr-seq ell-seq sell-seq' --repeat=5 gen:laplace2d,n=40
    show
    [ "$status" -eq 0 ]
    jq -e '.matrices[0] | [.kernels[] | {(.kernel): .median_us}] | add' out >times
    # Timed alternatives have the times of the list of kernels, and the advised kernel is the fastest
    jq -e '.matrices[0] as $m | [$m.advice.f64.cpu.alternatives[] | select(.measured_us) | .measured_us as $us
        | any($m.kernels[].median_us; . == $us)] | length > 0 and all' out
    # (or CSR, which may be tied with the fastest). All compared times are of one kind: measured, or forecast.
    jq -e '.matrices[0].advice.f64.cpu | .format == "csr" and .convert_us == 0
        or .us == ([.alternatives[] | select(.compared).us] | min)' out
    jq -e '.matrices[0].advice.f64.cpu | . as $a | [.alternatives[] | select(.compared) | .forecast == $a.forecast
        and .us == (if .forecast then .forecast_us else .measured_us end)] | length > 0 and all' out
    jq -e '.matrices[0].advice.f64.cpu | .machine == "this processor" and .upload_us == 0' out
    jq -e '[.matrices[0].advice.f64.cpu.by_products[].products] == [1, 10, 100, 1000, 10000, 100000, 1000000]' out
    # The best kernel for each number of products has the least sum of all alternatives, unless CSR is tied with it.
    jq -e '.matrices[0].advice.f64.cpu | . as $a | [.by_products[] | . as $p | select($p.kernel != $a.kernel or $a.convert_us > 0)
        | (.us - ([$a.alternatives[] | select(.compared) | .convert_us + $p.products * .us] | min) | fabs) < 1e-6 * .us] | all' out
    # CSR takes no conversion, and no estimate is called measured.
    jq -e '[.matrices[0].advice.f64.cpu.alternatives[] | select(.format == "csr" and (.kernel | test("compact") | not))
        | .convert_us == 0] | all' out
    # A kernel that first makes arrays from CSR takes a conversion, which is estimated, since no kernel of that name was
    # timed.
    jq -e '[.matrices[0].advice.f64.cpu.alternatives[] | select(.kernel == "cpu/csr-compact") | .convert_us > 0 and .convert_forecast] == [true]' out
    jq -e '[.matrices[0].advice.f64.cpu.alternatives[] | select(.measured_us) | .convert_forecast] | any | not' out
}

@test "the advice is the last paragraph on a matrix, in text and Markdown" {
    sparsight report --limit=8M --kernels='csr-seq ell-seq' --repeat=3 gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    sed -n '/^Advice, f64$/,$p' out >advice
    show <advice
    grep -q '^  On this processor, take cpu/' advice
    [ "$(grep '^[A-Z]' advice | tr '\n' ' ')" = 'Advice, f64 ' ]
    sparsight report --limit=8M --format=markdown --kernels='csr-seq ell-seq' --repeat=3 gen:laplace2d,n=30
    sed -n '/^## Advice, f64$/,$p' out | grep -q '^On this processor, take cpu/'
    sparsight report --limit=8M --precision=f32 --kernels='csr-seq' --repeat=3 gen:laplace2d,n=30
    grep -q '^Advice, f32$' out
    run ! grep -q '^Advice, f64$' out
}

@test "a plain report forecasts, runs nothing, and says the same each time" {
    need_forecasts
    export SOURCE_DATE_EPOCH=1700000000
    sparsight report --gpu=h200 gen:powerlaw
    [ "$status" -eq 0 ]
    cp out first
    grep -q '^  On the NVIDIA H200 SXM, take ' out
    sparsight report --gpu=h200 gen:powerlaw
    diff first out
    sparsight report --gpu=v100 gen:powerlaw
    run ! grep -q 'H200' out
    sparsight report --format=json --gpu=h200 gen:powerlaw
    jq -e '.matrices[0] | .kernels == [] and .advice.f64.gpu.forecast and .advice.f64.gpu.convert_us >= 0' out
}

@test "reasons differ for real causes" {
    need_forecasts
    sparsight report gen:banded,n=50,lower=1,upper=1
    tr -s ' \n' ' ' <out | grep -q 'is bound by launch overhead'
    sparsight report gen:powerlaw,scale=14
    tr -s ' \n' ' ' <out | grep -q 'ongest row has [0-9,]* entries'
    sparsight report gen:banded,n=200000,lower=8,upper=8
    tr -s ' \n' ' ' <out | grep -q 'is bound by the bandwidth of'
    run ! grep -q 'ongest row' out
}

# The diagonal matrix was once said to pay off after 141 products with a setup of 177 us. CSR is uploaded, too.
@test "break-even is where the sums of setup and products are equal, and the named terms explain the difference" {
    need_forecasts
    for matrix in gen:banded,n=200000,lower=0,upper=0 gen:powerlaw,scale=14; do
        sparsight report --format=json --kernels=none --gpu=h200 "$matrix"
        [ "$status" -eq 0 ]
        jq -e '.matrices[0].advice.f64.gpu.alternatives | map(select(.compared)) | (map(select(.break_even == 0)) | min_by(.us)) as $csr
            | def sum($k; $n): $k.convert_us + $k.upload_us + $n * $k.us;
            map(. as $k | select(.break_even != null and .break_even > 1)
                | sum($k; .break_even) <= sum($csr; .break_even) * 1.000001
                  and sum($k; .break_even - 1) >= sum($csr; .break_even - 1) * 0.999999) | all' out
        jq -e '.matrices[0].advice.f64.gpu.why | .explained and (.us - ([.terms[] | select(.named).us] | add) | fabs) <= .us / 3
            and (.us - ([.terms[].us] | add) | fabs) < 1e-6' out
    done
    jq -e '.matrices[0].advice.f64.gpu | .library.forecast and (.library.kernel | startswith("cusparse/")) and .library.ratio > 0' out
    # Every form has it.
    sparsight report --kernels=none --gpu=h200 gen:powerlaw,scale=9
    tr -s ' \n' ' ' <out | grep -Eq 'To call a library instead, take cusparse/|is a library.s kernel and can be called'
    sparsight report --kernels=none --gpu=h200 --format=markdown gen:powerlaw,scale=9
    grep -Eq 'To call a library instead, take cusparse/|is a library.s kernel and can be called' out
    sparsight report --kernels=none --gpu=h200 --format=html gen:powerlaw,scale=9
    grep -Eq 'To call a library instead, take cusparse/|is a library.s kernel and can be called' out
}

@test "the advice names an order that makes products faster, with the saved time" {
    need_forecasts
    sparsight gen --reorder=random -o shuffled.mtx laplace2d,n=300
    sparsight report --format=json --reorder=rcm --gpu=h200 shuffled.mtx
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].advice.f64.gpu.orders[0] | .order == "rcm" and .saved > 0.05 and .break_even > 0' out
    jq -e '.matrices[0].advice.f64.gpu as $a | $a.orders[0] | .here_us == $a.us and .forecast and .measured_us == null' out
    jq -r '.matrices[0].advice.f64.gpu.change' out | grep -q "The order rcm saves [0-9]*% of each product (.*, forecast)"
    # The time there is that of the advice for the reordered matrix.
    jq -e '.matrices[0].advice.f64.gpu.orders[0].us == .matrices[1].advice.f64.gpu.us' out
}

@test "complex matrices have advice, matrices without entries none" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 0' >e.mtx
    sparsight report --limit=8M --format=json --kernels=csr-seq --repeat=3 e.mtx
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].advice == {}' out
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '2 2 2' '1 1 1 1' '2 2 1 0' >c.mtx
    sparsight report --format=json c.mtx
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].advice | keys == ["c64"] and (.c64.gpu.kernel | startswith("cuda/")) and .c64.gpu.us > 0' out
    sparsight report --precision=c32 c.mtx
    grep -qx 'Advice, c32' out
}

# Tests use the assumed processor. Without that the processor is measured in half a second, and the profile is kept.
@test "a report without a kept calibration ends with advice for the processor, and names its basis" {
    sparsight report gen:laplace2d,n=20
    show
    [ "$status" -eq 0 ]
    grep -q 'On this processor, take cpu/' out
    tr -s ' \n' ' ' <out | grep -q 'Forecasts for this processor are uncertain: it was not measured, and the profile of another one is assumed'
    tr -s ' \n' ' ' <out | grep -q 'Libraries are forecast only if'
    ! [ -d cache ]
    XDG_CACHE_HOME=$PWD/cache SPARSIGHT_PROCESSOR='' sparsight report gen:laplace2d,n=20
    show
    [ "$status" -eq 0 ]
    grep -q 'On this processor, take cpu/' out
    tr -s ' \n' ' ' <out | grep -Eq 'This processor was measured quickly 20|Forecasts for this processor are uncertain: '
    [ "$(cat cache/sparsight/processors/* | grep -c '^measurements = 1$')" -eq 1 ]
    XDG_CACHE_HOME=$PWD/cache SPARSIGHT_PROCESSOR=nowhere sparsight report gen:laplace2d,n=20
    [ "$status" -eq 1 ]
    grep -q 'nowhere: the profile that SPARSIGHT_PROCESSOR names cannot be read' err
}

@test "advice in JSON has the basis of forecasts for the processor" {
    need jq
    sparsight report --format=json gen:laplace2d,n=20
    jq -e '.matrices[0].advice.f64 | .cpu.basis == "assumed" and .gpu.basis == null' out
}
