#!/usr/bin/env bats
# Completion in shells: the scripts, run by the shells, and file names.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p bin here/deep
    ln -sf "$SPARSIGHT" bin/sparsight
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    cd here
    touch a.mtx b.mtx.gz c.npz notes.txt 'two words.mtx' deep/d.mtx
}

# COMPREPLY of bash for these words. The line is typed up to its end.
in_bash() { # in_bash LINE WORD...
    bash --norc -c '
        eval "$(sparsight completion bash)"
        complete -p sparsight >/dev/null || exit 1
        COMP_LINE=$1 COMP_POINT=${#1}
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _sparsight "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" ""
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# The words that zsh adds, by a stand-in for compadd that prints the words after --.
in_zsh() { # in_zsh WORD...
    zsh -f -c '
        compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }
        compdef() { print -r -- "compdef $*" >>defined }
        _default() { print -r -- files }
        rm -f defined
        eval "$(sparsight completion zsh)"
        words=("$@") CURRENT=$#words PREFIX=$words[-1]
        _sparsight' zsh "$@"
    [ "$(cat defined)" = "compdef _sparsight sparsight sparsight-mpi
compdef _sparsight mpirun mpiexec" ]
}

@test "bash completes commands, options and their values, across = and :" {
    need bash
    in_bash 'sparsight rep' sparsight rep | grep -x report
    in_bash 'sparsight learn ' sparsight learn '' | grep -x 8
    in_bash 'sparsight report --arr' sparsight report --arr | grep -x -- --arrays=
    # bash splits the words at = and : and replaces the part after them.
    in_bash 'sparsight report --gpu=' sparsight report --gpu = | grep -x h200
    in_bash 'sparsight report --gpu=k20' sparsight report --gpu = k20 | grep -x k20m
    in_bash 'sparsight report --kernels=cuda/cmrs:hei' sparsight report --kernels = cuda/cmrs : hei | grep -x height=
    in_bash 'sparsight report gen:laplace2' sparsight report gen : laplace2 | grep -x laplace2d
    # An open quote stays.
    in_bash "sparsight report --kernels='cpu/* cuda/csr-v" sparsight report --kernels = "'cpu/* cuda/csr-v" | grep -xF 'cpu/* cuda/csr-vector'
}

@test "bash itself inserts a completion" {
    need bash
    need tmux
    # Readline treats keys from a script like those of a terminal.
    cat >rc <<'END'
PS1='$ '
eval "$(sparsight completion bash)"
END
    printf 'printf "<%%s>" sparsight report --kernels=cpu/csr-bal' >typed
    tmux -L "completion$$" -f /dev/null new-session -d -x 120 -y 20 -e "PATH=$PATH" "bash --rcfile rc -i"
    tmux -L "completion$$" send-keys -l 'sparsight report --kernels=cpu/csr-bal'
    tmux -L "completion$$" send-keys Tab
    tmux -L "completion$$" send-keys -l ' two'
    tmux -L "completion$$" send-keys Tab
    local k
    for k in $(seq 1200); do
        tmux -L "completion$$" capture-pane -p >screen
        if grep -qF 'two\ words.mtx' screen; then break; fi
        sleep 0.1
    done
    tmux -L "completion$$" kill-server
    cat screen
    grep -F 'sparsight report --kernels=cpu/csr-balanced ' screen
    grep -F 'two\ words.mtx' screen
}

@test "zsh completes commands, options and their values" {
    need zsh
    in_zsh sparsight rep | grep -x report
    in_zsh sparsight report --arr | grep -x -- --arrays=
    in_zsh sparsight report --gpu=k20 | grep -x -- --gpu=k20m
    in_zsh sparsight report --kernels=cuda/cmrs:hei | grep -x -- --kernels=cuda/cmrs:height=
    in_zsh sparsight report 'two\ w' | grep -x 'two words.mtx'
}

@test "fish completes commands, options and their values" {
    need fish
    local word
    HOME=$BATS_TEST_TMPDIR
    export HOME
    asked() { fish --no-config -c "sparsight completion fish | source; complete -C '$1'" | cut -f 1; }
    asked 'sparsight rep' | grep -x report
    # Before anything is typed, every command is offered.
    asked 'sparsight ' >offered
    cat offered
    for word in report plot survey compare convert gen kernels learn completion; do
        grep -x "$word" offered
    done
    asked 'sparsight report --arr' | grep -x -- --arrays=
    asked 'sparsight report --gpu=k20' | grep -x -- --gpu=k20m
    asked 'sparsight report --kernels=cuda/cmrs:hei' | grep -x -- --kernels=cuda/cmrs:height=
    asked 'sparsight report ' | grep -x a.mtx
}

@test "sparsight-mpi is completed alone and after mpirun" {
    local build=${BUILDDIR:-$(dirname "$SPARSIGHT")}
    [ -x "$build/sparsight-mpi" ] || skip "built without MPI"
    ln -sf "$build/sparsight-mpi" ../bin/sparsight-mpi
    [ "$(sparsight-mpi completion words -- '' | cut -f 1)" = 'report
convert' ]
    [ "$(sparsight-mpi completion words -- report --parts | cut -f 1)" = --parts= ]
    [ -z "$(sparsight-mpi completion words -- report --arr)" ] # --arrays needs a single process
    [ "$(sparsight-mpi completion words -- report --partition=pts | cut -f 1)" = --partition=ptscotch ]
    [ "$(sparsight-mpi completion words -- --format=mark | cut -f 1)" = --format=markdown ]
    [ "$(sparsight-mpi completion words -- report a)" = a.mtx ]
    [ "$(sparsight-mpi completion words -- --lenient b)" = b.mtx.gz ]
    if command -v bash; then
        in_bash 'sparsight-mpi report --car' sparsight-mpi report --car | grep -x -- --carry=
        in_bash 'mpirun -n 4 sparsight-mpi report --car' mpirun -n 4 sparsight-mpi report --car | grep -x -- --carry=
        in_bash 'mpirun -n 4 ../bin/sparsight-mpi report --gpu=k20' mpirun -n 4 ../bin/sparsight-mpi report --gpu = k20 | grep -x k20m
        [ -z "$(in_bash 'mpirun -n 4 sparsight re' mpirun -n 4 sparsight re)" ]
        bash --norc -c 'complete -W mine mpirun; eval "$(sparsight completion bash)"; complete -p mpirun' | grep -F 'complete -W' # an existing completion stays
    fi
    if command -v zsh; then
        in_zsh sparsight-mpi report --car | grep -x -- --carry=
        in_zsh mpirun -n 4 ../bin/sparsight-mpi report 'two\ w' | grep -x 'two words.mtx'
        in_zsh mpirun -n 4 --hos | grep -x files
    fi
    if command -v fish; then
        HOME=$BATS_TEST_TMPDIR
        export HOME
        asked() { fish --no-config -c "sparsight completion fish | source; complete -C '$1'" | cut -f 1; }
        asked 'sparsight-mpi report --car' | grep -x -- --carry=
        asked 'mpirun -n 4 ../bin/sparsight-mpi report --car' | grep -x -- --carry=
        [ -z "$(asked 'mpirun -n 4 sparsight report --car')" ]
    fi
}

@test "matrices are folders, and files with the endings of matrices and archives" {
    sparsight completion words -- report ''
    sort out | cut -f 1 >found
    printf '%s\n' a.mtx b.mtx.gz c.npz deep/ gen: 'two words.mtx' | sort | diff - found
    # Only pictures of several matrices can be made from saved reports, too.
    touch saved.json saved.jsonl
    sparsight completion words -- plot speed-up saved
    [ "$(sort out | tr '\n' ' ')" = 'saved.json saved.jsonl ' ]
    sparsight completion words -- plot rows saved
    [ ! -s out ]
    sparsight completion words -- plot a
    [ "$(cat out)" = a.mtx ]
    sparsight completion words -- report deep/
    [ "$(grep -v gen: out)" = deep/d.mtx ]
    sparsight completion words -- report --x=a
    [ "$(cat out)" = --x=a.mtx ]
    sparsight completion words -- report -o n
    [ "$(cat out)" = notes.txt ]
    HOME=$PWD sparsight completion words -- convert a.mtx '~/no'
    [ "$(cat out)" = '~/notes.txt' ]
}

@test "the user's profiles are offered" {
    mkdir -p config/sparsight/gpus
    sed 's/^title.*/title = Mine/' "$SRCDIR/data/gpus/h200.gpu" >config/sparsight/gpus/mine.gpu
    XDG_CONFIG_HOME=$PWD/config sparsight completion words -- --gpu=mi
    [ "$(cat out)" = "--gpu=mine	Mine" ]
}

@test "the scripts are those that are installed" {
    local shell
    for shell in bash zsh fish; do
        sparsight completion "$shell"
        diff "$SRCDIR/src/command/completion/sparsight.$shell" out
    done
    bash -n "$SRCDIR/src/command/completion/sparsight.bash"
}

@test "an unknown shell is wrong usage" {
    sparsight completion tcsh
    [ "$status" -eq 2 ]
    grep 'bash, zsh or fish' err
    sparsight completion
    [ "$status" -eq 2 ]
}
