#!/bin/bash
# Print README.md with what its commands print now: readme.bash PROGRAM SRCDIR.
#
# A command is a line "    $ COMMAND"; what stands below it, indented, is what it prints on both outputs, and is replaced. Where
# that ends with a line "    ...", as many lines are printed as there were before it. Commands run one after another in a
# folder that has data/ alone; tabs become blanks. No profile of this machine's user is found, so that forecasts are those
# of any machine.
set -u -o pipefail
program=$(realpath "$1") source=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/here"
ln -s "$program" "$folder/bin/sparsight"
ln -s "$source/data" "$folder/here/data"
export PATH=$folder/bin:$PATH XDG_CONFIG_HOME=$folder/none XDG_CACHE_HOME=$folder/none
cd "$folder/here" || exit

command='' shown='' blanks='' count=0 cut=no

# Run the command that was read last, and print what it prints, in place of what was shown.
finish() {
    if [ -n "$command" ]; then
        bash -c "$command" 2>&1 </dev/null | expand >"$folder/given"
        [ "$cut" = no ] || { head -n "$count" "$folder/given" >"$folder/part" && mv "$folder/part" "$folder/given"; }
        [ -z "$shown" ] || [ -s "$folder/given" ] || echo "no output: $command" >&2
        [ ! -s "$folder/given" ] || printf '%s\n' "$(<"$folder/given")" | sed '/./s/^/    /' # without blank lines at its end
        [ "$cut" = no ] || echo '    ...'
    fi
    printf '%s' "$blanks"
    command='' shown='' blanks='' count=0 cut=no
}

while IFS= read -r line; do
    case $line in
    '    $ '*)
        finish
        printf '%s\n' "$line"
        command=${line#    \$ }
        ;;
    '    ...') if [ -n "$command" ]; then cut=yes; else printf '%s\n' "$line"; fi ;;
    '    '*)
        if [ -n "$command" ]; then
            # Blank lines were part of what is shown if more of it follows.
            count=$((count + 1 + $(printf '%s' "$blanks" | wc -l)))
            shown=yes blanks=''
        else
            printf '%s\n' "$line"
        fi
        ;;
    '') if [ -n "$command" ]; then blanks+=$'\n'; else echo; fi ;;
    *)
        finish
        printf '%s\n' "$line"
        ;;
    esac
done <"$source/README.md"
finish
