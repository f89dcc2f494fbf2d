#!/usr/bin/env bats
# The explorer's settings: the list that changes them, and the file that keeps them.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    conf=$XDG_CONFIG_HOME/sparsight/sparsight.conf
}

teardown() {
    screen_end
}

@test "settings are changed in a list, take effect, and are kept" {
    screen 100x30 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    keys '\\;'
    wait_for 'Settings'
    wait_for 'gpu +default +next matrix'
    keys Down Enter
    wait_for 'precision = f32'
    keys Down Down Enter
    wait_for 'protocol = cranfield'
    keys Down Enter C-u 'latency=5,bandwidth=20' Enter
    wait_for 'network = latency=5,bandwidth=20'
    [ "$(cat "$conf")" = 'precision = f32
protocol = cranfield
network = latency=5,bandwidth=20' ]
    keys Escape 6
    wait_for 'f f32.*m Cranfield'
    keys 8
    wait_for 'network: 5 us, 20 GB/s'
    keys q
    ended_with 0
    screen_end
    screen 100x30 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f32.*m Cranfield'
    keys q
    ended_with 0
    screen_end
    screen 100x30 --no-config "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64.*m median'
    keys q
    ended_with 0
}

@test "a GPU in the settings is used when the matrix is opened again; a wrong one changes nothing" {
    screen 100x30 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'NVIDIA H200'
    keys '\\;' Enter 'a10000' Enter
    wait_for "no GPU is called 'a10000'"
    wait_for 'gpu +default'
    keys Enter C-u 'a100' Enter
    wait_for 'gpu = a100, from the next matrix on'
    keys r
    wait_for 'NVIDIA A100'
    keys '\\;' Enter C-u Enter
    wait_for 'gpu = default'
    [ ! -s "$conf" ]
    keys r
    wait_for 'NVIDIA H200'
    keys q
    ended_with 0
}

@test "other lines of the file stay as they are" {
    mkdir -p "${conf%/*}"
    printf '# mine\nascii = on # plain\n\nprecision=f32' >"$conf"
    screen 100x30 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    keys '\\;' Down Enter
    wait_for 'precision = f64'
    [ "$(cat "$conf")" = '# mine
ascii = on # plain' ]
    keys Escape q
    ended_with 0
}
