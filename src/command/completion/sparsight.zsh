#compdef sparsight sparsight-mpi
# Completion for zsh of sparsight and sparsight-mpi, alone or after mpirun.
# The typed program itself offers the words: `sparsight completion words`.
_sparsight() {
    local program=${~${(Q)words[1]}} line word shown tab=$'\t' k
    local -a whole whole_shown open open_shown typed
    typed=("${(@)words[1,CURRENT-1]}")
    if [[ ${program:t} == mpi* ]]; then
        for ((k = 2; k < CURRENT; k++)); do
            [[ ${words[k]:t} == sparsight-mpi ]] && typed=("${(@)words[k,CURRENT-1]}") program=${~${(Q)words[k]}} && break
        done
        if ((k == CURRENT)); then
            _default
            return
        fi
    fi
    whence -p -- $program >/dev/null || program=sparsight
    for line in "${(@f)$($program completion words -- "${(@Q)typed[2,-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        word=${line%%$tab*}
        [[ -n $word ]] || continue
        shown=$word
        [[ $line == *$tab* ]] && shown="$word  -- ${line#*$tab}"
        if [[ $word == *[=:,/] ]]; then
            open+=($word)
            open_shown+=($shown)
        else
            whole+=($word)
            whole_shown+=($shown)
        fi
    done
    (( $#open )) && compadd -l -S '' -d open_shown -- $open
    (( $#whole )) && compadd -l -d whole_shown -- $whole
    (( $#open + $#whole ))
}
if [[ $funcstack[1] == _sparsight ]]; then
    _sparsight "$@"
elif (( $+functions[compdef] )); then
    compdef _sparsight sparsight sparsight-mpi
    (( $+_comps[mpirun] )) || compdef _sparsight mpirun mpiexec
fi
