#!/usr/bin/env bats
# GPUs for estimates: the option --gpu, the list of profiles, and the user's profiles.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/config HOME=$BATS_TEST_TMPDIR
    unset XDG_CACHE_HOME
}

# write_profile FILE [LINE]...: a complete profile, and further lines.
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
        grep -qE "^$name +$(sed -n 's/^title = //p' "$file")( \(constants derived\))?: " listed
        [ "$(grep "^$name " listed | grep -c '(constants derived)')" -eq "$(grep -c '^launch = derived' "$file")" ]
        grep -q "^| $name\.gpu | " "$SRCDIR/data/README.md"
        sparsight kernels --gpu="$name"
        [ "$status" -eq 0 ]
        head -n 1 out | grep -qx "# $name"
        # the file's lines are among the shown ones, titles and sources with the rest, and measured constants
        grep -v '^bandwidth\|^L2 =\|^memory =\|^#' "$file" >given
        [ "$(wc -l <given)" -ge 4 ]
        sed 's/ = derived # .*/ = derived/' out >shown
        [ "$(grep -cxFf given shown)" -eq "$(wc -l <given)" ]
        count=$((count + 1))
    done
    [ "$(wc -l <listed)" -eq "$count" ]
}

@test "the shown profile is a profile" {
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

@test "for an unknown name the most similar one is suggested" {
    mkdir -p config/sparsight/gpus
    write_profile config/sparsight/gpus/mycard1.gpu
    write_profile config/sparsight/gpus/mycard2.gpu
    sparsight kernels --gpu=mycard1x
    grep -q "did you mean mycard1?" err
    sparsight kernels --gpu=mycard2x
    grep -q "did you mean mycard2?" err
}

@test "the fault of a file is reported with its line, before anything is read" {
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
    grep -q '^Mine  *A GPU of mine (constants derived): 8.6, 30 multiprocessors, L2 3.00 MiB, 7.45 GiB at 448 GB/s, yours$' out
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

# quietly ARGUMENT...: run the program, if mounts are allowed, on a machine that seems idle: the system's counters stand
# still. Beside other tests a calibration would be repeated twice.
quietly() {
    local words alone=
    cp /proc/stat stat
    echo '0.00 0.00 0.00 1/1 1' >loadavg
    for words in 'unshare -m' 'unshare -rm'; do
        $words mount --bind stat /proc/stat 2>out && alone=$words
    done
    if [ -z "$alone" ]; then
        sparsight "$@"
        return
    fi
    status=0
    $alone sh -c 'mount --bind stat /proc/stat && mount --bind loadavg /proc/loadavg && exec "$0" "$@"' "$SPARSIGHT" "$@" >out 2>err || status=$?
}

# There is a processor, and perhaps a GPU, which is measured too. Otherwise there is the reason.
@test "the processors and a GPU of this machine are measured and kept" {
    local name
    unset SPARSIGHT_PROCESSOR # the profile that is measured here counts
    quietly kernels --calibrate --repeat=1 -o measured # three times take three times as long
    show
    [ "$status" -eq 0 ]
    [ ! -s out ]
    grep -q '/.cache/sparsight/processors/[^ /]*: saved for this processor: measured .*, 1 time;' err
    cp err calibrated
    cp .cache/sparsight/processors/* as_measured
    # Other work on the machine makes the profile doubtful, and the next run would measure again. Here it must be
    # trusted.
    if grep -q 'saved as uncertain' calibrated; then
        sed -i 's/^load = .*/load = 0/; s/^spread = .*/spread = 0.01/; s/^complete = 0$/complete = 1/' .cache/sparsight/processors/*
    fi
    grep -qx 'complete = 1' .cache/sparsight/processors/*
    grep -q '^f32 csr-omp = [0-9]' .cache/sparsight/processors/*
    # reports forecast with the kept profile: here three rows of CSR take a second each, and a whole product the sum of
    # its terms
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n' >three.mtx
    cp .cache/sparsight/processors/* kept
    sed '/^f64 csr-seq = /s/= [^ ]*/= 1/; /^whole one = /s/= [^ ]*/= 1/' kept >"$(echo .cache/sparsight/processors/*)"
    sparsight report --limit=8M --format=json --kernels='cpu/csr-seq' three.mtx
    [ "$status" -eq 0 ]
    grep -q '"predicted_us": 3000000' out
    cp as_measured .cache/sparsight/processors/*
    if grep -q '; to use a GPU of another machine, run --calibrate there and give its profile to --gpu=NAME$' calibrated; then
        diff measured .cache/sparsight/processors/*
        [ ! -e .cache/sparsight/gpus ]
        sparsight kernels --calibrate --device=0
        [ "$status" -eq 1 ]
        grep -q '; for a GPU that is elsewhere --gpu=NAME takes a profile, which --calibrate there makes$' err
        return
    fi
    name=$(sed -n '1s/^# //p' measured)
    diff measured ".cache/sparsight/gpus/$name.gpu"
    grep -q "/.cache/sparsight/gpus/$name.gpu: saved for --gpu=$name and for this GPU$" calibrated
    sparsight kernels --gpu="$name"
    diff measured out
    # a profile that cannot be kept is printed nevertheless
    mkdir nobody
    HOME=$PWD/nobody/lost sparsight kernels --calibrate --device=0
    [ "$status" -eq 1 ]
    grep -q '^launch = ' out
    [ ! -e nobody/lost ]
    sparsight kernels --calibrate --device=1000
    [ "$status" -eq 1 ]
    grep -q 'there is no GPU 1000' err
}

@test "a report forecasts all kernels of the host without a profile, and keeps none" {
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n' >three.mtx
    sparsight report --limit=8M --format=json --kernels='cpu/*' --threads=1 three.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(grep -c '"machine": "cpu"' out)" -gt 20 ]
    # The two kernels of sss are not forecast yet.
    [ "$(grep -c '"machine": "cpu"' out)" -eq $(($(grep -c '"backend": "cpu"' out) - 2)) ]
    [ ! -e .cache ]
}

@test "options that --calibrate excludes are wrong usage" {
    sparsight kernels --calibrate --gpu=h200
    show
    [ "$status" -eq 2 ]
    grep -q -- '--calibrate measures a GPU of this machine and --gpu shows a profile' err
    sparsight kernels --device=0
    [ "$status" -eq 2 ]
    grep -q -- '--device chooses the GPU that --calibrate measures' err
    sparsight kernels --repeat=1
    [ "$status" -eq 2 ]
    grep -q -- '--repeat is for --calibrate' err
    sparsight kernels --calibrate --repeat=4
    [ "$status" -eq 2 ]
    sparsight kernels --calibrate a.mtx
    [ "$status" -eq 2 ]
    sparsight report --calibrate a.mtx
    [ "$status" -eq 2 ]
    grep -q "unknown option '--calibrate': it is for 'sparsight kernels'" err
}

@test "a measured profile is found before one of the program and after one of the user, and listed as such" {
    mkdir -p .cache/sparsight/gpus cache/sparsight/gpus config/sparsight/gpus
    write_profile .cache/sparsight/gpus/h100.gpu 'warps = 11'
    sparsight kernels --gpu=h100
    grep -qx 'warps = 11' out
    sparsight kernels
    grep -q '^h100  *A GPU of mine (constants derived): .*, measured with --calibrate$' out
    export XDG_CACHE_HOME=$PWD/cache
    sparsight kernels --gpu=h100
    grep -qx 'warps = 64' out
    write_profile cache/sparsight/gpus/h100.gpu 'warps = 12'
    sparsight kernels --gpu=h100
    grep -qx 'warps = 12' out
    write_profile config/sparsight/gpus/H100.gpu 'warps = 13'
    sparsight kernels --gpu=h100
    grep -qx 'warps = 13' out
    sparsight kernels
    grep -q '^H100  *A GPU of mine (constants derived): .*, yours$' out
    ! grep -q 'measured with' out
}

@test "a profile has all measured constants, or none" {
    write_profile mine.gpu 'launch = 1.5 us'
    sparsight kernels --gpu=mine.gpu
    show
    [ "$status" -eq 1 ]
    grep -q "^mine.gpu:7: the profile has 'launch' but lacks next launch, .*: of what is measured it has to give all" err
    write_profile mine.gpu 'next launch = 3 minutes'
    sparsight kernels --gpu=mine.gpu
    [ "$(cat err)" = 'mine.gpu:7:15: next launch = 3 minutes is not in ns, us, ms or s' ]
}

@test "the list and a profile are written to a file" {
    sparsight kernels -o list.txt
    [ "$status" -eq 0 ]
    [ ! -s out ]
    grep -q '^Profiles of GPUs' list.txt
    sparsight kernels --gpu=k20m --output=k20m.gpu
    [ "$status" -eq 0 ]
    sparsight kernels --gpu=k20m.gpu
    diff out k20m.gpu
    sparsight kernels -o lost/list.txt
    [ "$status" -eq 1 ]
}

# The kept numbers belong to one version of nvcc. Another one may assign a kernel other registers.
@test "a build with nvcc reproduces the kept table of registers" {
    local made=$BUILDDIR/src/kernels/cuda/resources_made.txt kept=$SRCDIR/src/kernels/cuda/resources.txt
    grep -qx 'cuda_own_code = yes' "$BUILDDIR/Makefile" || skip "built without CUDA, or from older PTX"
    [ "$(head -n 1 "$made")" = "$(head -n 1 "$kept")" ] || skip "another nvcc: $(head -n 1 "$made")"
    # the compute capabilities of this build, in the order of their columns in the kept table
    columns=$(awk -F'\t' 'FNR == 2 && NR == 2 { for (a = 2; a <= NF; a++) here[$a] = 1 }
        FNR == 2 && NR > 2 { for (a = 2; a <= NF; a++) if ($a in here) printf ",%d", a }' "$made" "$kept")
    [ -n "$columns" ]
    sed 1,2d "$made" | sort >made
    sed 1,2d "$kept" | cut -f "1$columns" | sort >kept
    if ! diff kept made; then
        echo "if this is meant: make registers, in a build for all compute capabilities"
        false
    fi
}

@test "the rows of a kernel stand together in the table of registers, and a build's own numbers come first" {
    cd "$BATS_TEST_TMPDIR"
    printf 'kernel\t90\na\t7\nb\t8/1/2/3/4\n' >made
    printf '# kept\nkernel\t75\t90\na\t5\t6\nc\t-\t-\nb\t4\t-\nc\t9\t-\n' >kept
    LC_ALL=C awk -f "$SRCDIR/src/kernels/cuda/resources_table.awk" made kept | sed -n 's/^    {"\(.*\)", \(.*\)},$/\1 \2/p' >rows
    diff rows - <<'END'
a 90, 7, 0, 0, 0, 0
a 75, 5, 0, 0, 0, 0
b 90, 8, 1, 2, 3, 4
b 75, 4, 0, 0, 0, 0
c 75, 9, 0, 0, 0, 0
END
}
