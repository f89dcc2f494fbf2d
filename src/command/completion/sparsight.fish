# Completion for fish of sparsight and sparsight-mpi, alone or after mpirun.
# The typed program itself offers the words: `sparsight completion words`.
function __sparsight_ranked
    contains -i -- sparsight-mpi (commandline -opc | string replace -r '.*/' '')
end
function __sparsight_words
    set -l words (commandline -opc)
    if set -l ranked (__sparsight_ranked)
        set words $words[$ranked..-1]
    end
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    command -q -- $program; or set program sparsight
    set -e words[1]
    # Quoted, so that an empty token is one word.
    set -l current (commandline -ct)
    $program completion words -- $words "$current" 2>/dev/null
end
complete -c sparsight -f -a '(__sparsight_words)'
complete -c sparsight-mpi -f -a '(__sparsight_words)'
complete -c mpirun -n '__sparsight_ranked >/dev/null' -f -a '(__sparsight_words)'
complete -c mpiexec -n '__sparsight_ranked >/dev/null' -f -a '(__sparsight_words)'
