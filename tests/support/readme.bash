#!/bin/bash
# Print README.md, or a page of the manual, with the present output of its commands: readme.bash PROGRAM SRCDIR [FILE].
#
# A command is a line "    $ COMMAND". The indented lines below it are its output on both channels, and are replaced. The
# origin of a report is left out, since it has the date. If they end with a line "    ...", as many lines are printed as there were before it. Commands run one after another in a
# folder that has data/ alone; tabs become blanks. No profile of this machine's user is found, so that forecasts are those
# of any machine. In a page of the manual (mdoc) the lines of literal blocks count as indented ones.
set -u -o pipefail
program=$(realpath "$1") source=$(realpath "$2") file=${3:-README.md}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/here"
# Before a kernel is timed the machine is measured, in up to 1 GiB: within a limit that takes no time. No time is shown.
printf '%s\n' '#!/bin/bash' 'case "$1 $*" in report*--kernels=csr-seq*) set -- "$@" --limit=8M ;; esac' \
    "exec $(printf %q "$program") \"\$@\"" >"$folder/bin/sparsight"
chmod +x "$folder/bin/sparsight"
ln -s "$source/data" "$folder/here/data"
export PATH=$folder/bin:$PATH XDG_CONFIG_HOME=$folder/none XDG_CACHE_HOME=$folder/none
cd "$folder/here" || exit

# The lines of literal blocks of a page, without escapes and indented; and back.
case $file in
*.[1-9])
    indented() {
        awk '/^[.]Ed/ { inside = 0 }
            inside && /./ { sub(/^\\&/, ""); gsub(/\\e/, "\\"); $0 = "    " $0 }
            /^[.]Bd -literal/ { inside = 1 }
            1'
    }
    plain() {
        awk 'sub(/^    /, "") { gsub(/\\/, "\\e"); if (/^[.\047]/) $0 = "\\&" $0 }
            1'
    }
    ;;
*)
    indented() { cat; }
    plain() { cat; }
    ;;
esac

command='' shown='' blanks='' count=0 cut=no

# Run the last command, and print its output instead of the shown lines.
finish() {
    if [ -n "$command" ]; then
        bash -c "$command" 2>&1 </dev/null | expand |
            awk '/^  program: sparsight [^;]*; date: / { origin = 1 } !origin; /^$/ { origin = 0 }' >"$folder/given"
        [ "$cut" = no ] || { head -n "$count" "$folder/given" >"$folder/part" && mv "$folder/part" "$folder/given"; }
        [ -z "$shown" ] || [ -s "$folder/given" ] || echo "no output: $command" >&2
        [ ! -s "$folder/given" ] || printf '%s\n' "$(<"$folder/given")" | sed '/./s/^/    /' # without blank lines at its end
        [ "$cut" = no ] || echo '    ...'
    fi
    printf '%s' "$blanks"
    command='' shown='' blanks='' count=0 cut=no
}

indented <"$source/$file" >"$folder/lines"
{
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
                # Blank lines belong to the output if more of it follows.
                count=$((count + 1 + ${#blanks})) # blanks are line ends
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
    done <"$folder/lines"
    finish
} | plain
