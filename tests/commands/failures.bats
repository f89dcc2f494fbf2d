#!/usr/bin/env bats
# Every system call fails in turn, in every command: tests/support/failures.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a failing system call is a clean error, and leaves nothing behind" {
    need python3
    need_failing
    run python3 "$SRCDIR/tests/support/failures.py" "$SPARSIGHT" "$failing"
    echo "$output"
    [ "$status" -eq 0 ]
}

# A resumed survey first writes its file again. If that fails, nothing is done, and the old file stays.
@test "a survey whose file cannot be written again is not resumed" {
    need_failing
    sparsight survey -o s.jsonl gen:laplace2d,n=3 none.mtx || [ $? -eq 1 ]
    cp s.jsonl before
    run env LD_PRELOAD="$failing" FAILING_CALLS=rename FAILING_HOW=13 FAILING_AT=1 "$SPARSIGHT" survey --retry -o s.jsonl
    [ "$status" -eq 1 ]
    [[ "$output" == *s.jsonl:* ]]
    cmp s.jsonl before
    sparsight survey --retry -o s.jsonl gen:laplace2d,n=4 || [ $? -eq 1 ] # without the failure the file is continued
    grep -q 'laplace2d,n=4' s.jsonl
}
