#!/usr/bin/env bats
# GPUs to estimate for: the option --gpu, the list of profiles, and those of the user.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/config HOME=$BATS_TEST_TMPDIR
}

# write_profile FILE [LINE]...: one that lacks nothing, and more lines.
write_profile() {
    local file=$1
    shift
    printf '%s\n' 'title = A GPU of mine' 'compute capability = 8.6' 'multiprocessors = 30' 'L2 = 3 MiB' \
        'memory = 8 GB' 'bandwidth = 448 GB/s' "$@" >"$file"
}

@test "every profile of data/gpus is in the list, the README and the option" {
    local file name count=0
    sparsight kernels
    [ "$status" -eq 0 ]
    sed '1,/^Profiles of GPUs/d; /^$/d' out >listed
    for file in "$SRCDIR"/data/gpus/*.gpu; do
        name=${file##*/}
        name=${name%.gpu}
        grep -qE "^$name +$(sed -n 's/^title = //p' "$file"): " listed
        grep -q "^| $name\.gpu | " "$SRCDIR/data/README.md"
        sparsight kernels --gpu="$name"
        [ "$status" -eq 0 ]
        head -n 1 out | grep -qx "# $name"
        # the file's lines are among those that are shown, titles and sources with the rest
        [ "$(grep -cxFf <(grep -v '^bandwidth\|^L2\|^memory' "$file") out)" -eq 4 ]
        count=$((count + 1))
    done
    [ "$(wc -l <listed)" -eq "$count" ]
}

@test "what is shown of a profile is a profile" {
    sparsight kernels --gpu=RTX-4090
    [ "$status" -eq 0 ]
    cp out copy.gpu
    sparsight kernels --gpu=copy.gpu
    show
    [ "$status" -eq 0 ]
    diff <(sed 1d out) <(sed 1d copy.gpu)
}

@test "--gpu is taken by the explorer, report and kernels, without regard to case" {
    write_matrix a.mtx
    sparsight report --gpu=H200 a.mtx
    show
    [ "$status" -eq 0 ]
    [ ! -s err ]
    sparsight --help
    grep -q -- '--gpu=NAME' out
    sparsight gen --gpu=h200 laplace2d
    [ "$status" -eq 2 ]
}

@test "an unknown GPU is wrong usage, and the list is shown" {
    local command
    write_matrix a.mtx
    for command in "" report; do
        sparsight $command --gpu=h20 a.mtx
        show
        [ "$status" -eq 2 ]
        grep -q "no GPU is called 'h20'; did you mean h200? There are gtx480, .*, rtx4090, and files" err
        [ ! -s out ]
    done
    sparsight kernels --gpu=
    [ "$status" -eq 2 ]
}

@test "of several names like the one that is not known the nearest is meant" {
    mkdir -p config/sparsight/gpus
    write_profile config/sparsight/gpus/mycard1.gpu
    write_profile config/sparsight/gpus/mycard2.gpu
    sparsight kernels --gpu=mycard1x
    grep -q "did you mean mycard1?" err
    sparsight kernels --gpu=mycard2x
    grep -q "did you mean mycard2?" err
}

@test "what is wrong with a file is told with its line, before anything is read" {
    write_profile mine.gpu '' 'warp = 12'
    sparsight report --gpu=mine.gpu nothing.mtx
    show
    [ "$status" -eq 1 ]
    [ "$(cat err)" = "mine.gpu:8:1: a GPU has no 'warp'; did you mean 'warps'?" ]
    write_profile mine.gpu 'granule = 48'
    sparsight report --gpu=./mine.gpu nothing.mtx
    [ "$status" -eq 1 ]
    grep -q '^\./mine\.gpu:7: granule = 48' err
    sparsight report --gpu=lost.gpu nothing.mtx
    show
    [ "$status" -eq 1 ]
    [ "$(cat err)" = 'lost.gpu: No such file or directory' ]
}

@test "profiles of the user are found by name, listed, and come first" {
    mkdir -p config/sparsight/gpus
    write_profile config/sparsight/gpus/Mine.gpu
    write_profile config/sparsight/gpus/h100.gpu 'multiprocessor = 1'
    sparsight kernels --gpu=MINE
    show
    [ "$status" -eq 0 ]
    grep -qx 'shared memory a block = 99 KiB' out
    sparsight kernels --gpu=h100
    [ "$status" -eq 1 ]
    grep -q "gpus/h100.gpu:7:1: a GPU has no 'multiprocessor'" err
    sparsight kernels
    [ "$status" -eq 0 ]
    grep -q '^Mine  *A GPU of mine: 8.6, 30 multiprocessors, L2 3.00 MiB, 7.45 GiB at 448 GB/s, yours$' out
    grep -q '^h100  *not available: .*h100.gpu:7:1: ' out
    sparsight kernels --gpu=h200
    [ "$status" -eq 0 ]
    chmod 0 config/sparsight/gpus
    if ! ls config/sparsight/gpus >/dev/null 2>&1; then # root may
        sparsight kernels --gpu=h200
        show
        [ "$status" -eq 1 ]
        grep -q 'sparsight/gpus: Permission denied' err
    fi
    chmod 700 config/sparsight/gpus
}
