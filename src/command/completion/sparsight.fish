# Completion of sparsight for fish. The words come from the program that is being typed: `sparsight completion words`.
function __sparsight_words
    set -l words (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    command -q -- $program; or set program sparsight
    set -e words[1]
    $program completion words -- $words (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c sparsight -f -a '(__sparsight_words)'
