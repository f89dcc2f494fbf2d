# Completion for bash of sparsight and sparsight-mpi, alone or after mpirun.
# The typed program itself offers the words: `sparsight completion words`.
# bash splits words at = and :, too. The code joins them again, and cuts off the part that bash does not replace.
_sparsight() {
    local program=${1/#"~/"/"$HOME/"} rest=${COMP_LINE:0:COMP_POINT} stripped piece='' whole prefix line k
    local -a words=()
    for ((k = 0; k <= COMP_CWORD; k++)); do
        stripped=${rest#"${rest%%[![:blank:]]*}"}
        piece=${COMP_WORDS[k]}
        if ((k == COMP_CWORD)); then piece=$stripped; fi
        if ((k > 0)) && [[ -n $rest && $rest == "$stripped" ]]; then
            words[${#words[@]} - 1]+=$piece
        else
            words+=("$piece")
        fi
        rest=${stripped#"$piece"}
    done
    words=("${words[@]//[\'\"\\]/}")
    for ((k = 1; k < ${#words[@]} - 1; k++)); do
        if [[ ${program##*/} == mpi* && ${words[k]##*/} == sparsight-mpi ]]; then
            program=${words[k]/#"~/"/"$HOME/"}
            words=("${words[@]:k}")
        fi
    done
    COMPREPLY=()
    if [[ ${program##*/} == mpi* ]]; then return 0; fi
    piece=${piece//[\'\"\\]/}
    if [[ $piece != *[!=:]* ]]; then piece=''; fi
    whole=${words[${#words[@]} - 1]}
    prefix=${whole%"$piece"}
    if ! type -P -- "$program" >/dev/null; then program=sparsight; fi
    while IFS=$'\t' read -r line _; do
        line=${line#"$prefix"}
        COMPREPLY+=("$line")
        if [[ -e ${line/#"~/"/"$HOME/"} ]]; then compopt -o filenames 2>/dev/null; fi
    done < <("$program" completion words -- "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:,/] ]]; then compopt -o nospace 2>/dev/null; fi
    return 0
}
complete -F _sparsight sparsight sparsight-mpi
if ! complete -p mpirun >/dev/null 2>&1; then complete -o bashdefault -o default -F _sparsight mpirun mpiexec; fi
