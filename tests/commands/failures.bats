#!/usr/bin/env bats
# Every call of the system fails in turn, in every command: tests/support/failures.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a call of the system that fails is a clean error, and leaves nothing behind" {
    need python3
    need_failing
    run python3 "$SRCDIR/tests/support/failures.py" "$SPARSIGHT" "$failing"
    echo "$output"
    [ "$status" -eq 0 ]
}

# A survey that goes on writes its file again first. If that fails, nothing is done, and the old file stays.
@test "a survey whose file cannot be written again does not go on" {
    need_failing
    sparsight survey -o s.jsonl gen:laplace2d,n=3 none.mtx || [ $? -eq 1 ]
    cp s.jsonl before
    run env LD_PRELOAD="$failing" FAILING_CALLS=rename FAILING_HOW=13 FAILING_AT=1 "$SPARSIGHT" survey --retry -o s.jsonl
    [ "$status" -eq 1 ]
    [[ "$output" == *s.jsonl:* ]]
    cmp s.jsonl before
    sparsight survey --retry -o s.jsonl gen:laplace2d,n=4 || [ $? -eq 1 ] # as it is, the file is gone on with
    grep -q 'laplace2d,n=4' s.jsonl
}
