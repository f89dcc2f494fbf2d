#!/usr/bin/env bats
# The file of settings, as far as it needs no screen: its faults, and the commands that read it.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export XDG_CONFIG_HOME=$PWD/config
    mkdir -p config/sparsight
    conf=config/sparsight/sparsight.conf
}

# refused LINE PATTERN: a file with this second line is refused at that line.
refused() {
    printf '# settings\n%s\n' "$1" >"$conf"
    sparsight "$SRCDIR/data/demo.mtx.gz" </dev/null
    [ "$status" -eq 2 ]
    grep -Eq "sparsight.conf:2: .*$2" err
}

@test "a fault in the file of settings is reported with its line" {
    refused 'colour = blue' "no setting 'colour'"
    refused 'gpu' "'gpu' needs a value: gpu = NAME"
    refused 'gpu = nonesuch' 'nonesuch'
    refused 'lenient = maybe' "'lenient' is on or off"
    refused 'limit = lots' 'lots'
    refused 'precision = f16' 'f64 or f32'
    refused 'help' "no setting 'help'"
    head -c 2000000 /dev/zero >"$conf"
    sparsight "$SRCDIR/data/demo.mtx.gz" </dev/null
    [ "$status" -eq 2 ]
    grep -q 'no file of settings: remove it, or pass --no-config' err
}

@test "help and other commands do not read the settings, and --no-config declines them" {
    echo 'colour = blue' >"$conf"
    sparsight --help
    [ "$status" -eq 0 ]
    sparsight report "$SRCDIR/data/demo.mtx.gz"
    [ "$status" -eq 0 ]
    sparsight --no-config nonesuch.mtx </dev/null
    ! grep -q 'sparsight.conf' err
}
