#compdef sparsight
# Completion of sparsight for zsh. The words come from the program that is being typed: `sparsight completion words`.
_sparsight() {
    local program=${~${(Q)words[1]}} line word shown tab=$'\t'
    local -a whole whole_shown open open_shown
    whence -p -- $program >/dev/null || program=sparsight
    for line in "${(@f)$($program completion words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
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
    compdef _sparsight sparsight
fi
