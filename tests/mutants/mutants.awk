# Answers to the runner of the mutants (run.sh) from the lists: the mutants, and the text of a source with one of them in it.
#
#     awk -v mode=list  -v root=SOURCES -f mutants.awk LIST...               a line for each mutant: id, file, tests, place,
#                                                                            what is wrong with it, why it may survive;
#                                                                            fields are apart by tabs, an empty one is "-"
#     awk -v mode=apply -v root=SOURCES -v wanted=ID -f mutants.awk LIST...  the mutant's source, with its text replaced
#
# The form of a list is in README.md beside this file.

FNR == 1 {
    end_mutant()
    room = FILENAME
    sub(/.*\//, "", room)
    sub(/\.list$/, "", room)
}

/^#/ { next }

/^[ \t]*$/ {
    end_mutant()
    next
}

{
    word = $0
    sub(/ .*/, "", word)
    rest = substr($0, length(word) + 2)
    place = substr(FILENAME, length(root) + 2) ":" FNR
    if (word == "mutant") {
        if (id != "") fault(place ": an empty line is missing before this mutant")
        end_mutant()
        id = room "/" rest
        begun = place
        if (rest !~ /^[a-z0-9-]+$/) fault("an id has small letters, digits and hyphens: " rest)
        if (id in seen) fault("the id is taken: " id)
        seen[id] = 1
    } else if (id == "") {
        id = room "/?"
        begun = place
        fault("a mutant begins with the line \"mutant ID\"")
    } else if (word == "old") {
        old = old (olds++ ? "\n" : "") rest
    } else if (word == "new") {
        new = new (news++ ? "\n" : "") rest
    } else if (word == "file" && file == "") {
        file = rest
    } else if (word == "test" && tests == "") {
        tests = rest
    } else if (word == "survives" && reason == "") {
        reason = rest
    } else {
        fault(place ": " word " is no word of a list, or stands there twice")
    }
}

END { end_mutant() }

function fault(text) {
    if (wrong == "") wrong = text
}

function exists(path,    line, status) {
    status = (getline line <path)
    close(path)
    return status > 0
}

# The text of a source, which is read once; "" if there is none.
function source(path,    line, text) {
    if (path in sources) return sources[path]
    while ((getline line <path) > 0)
        text = text line "\n"
    close(path)
    return sources[path] = text
}

# How often old occurs in text; where it does first is in `found`.
function occurrences(text, old,    count, at, from) {
    found = index(text, old)
    for (from = found; from > 0; from = at ? from + at : 0) {
        count++
        at = index(substr(text, from + 1), old)
    }
    return count + 0
}

function check(    text, count, n, name, k) {
    if (file == "" || !olds || !news || tests == "") {
        fault("a mutant has the lines mutant, file, old, new and test")
        return
    }
    if (old == "") fault("nothing is replaced")
    if (old == new) fault("the replacement is what was there")
    text = source(root "/" file)
    if (text == "") {
        fault("there is no " file)
        return
    }
    count = occurrences(text, old)
    if (count != 1) fault("the text to replace is found " (count ? count " times" : "nowhere") " in " file)
    n = split(tests, name, " ")
    for (k = 1; k <= n; k++)
        if (!exists(root "/" name[k] (name[k] ~ /\.bats$/ ? "" : ".c"))) fault("there is no test " name[k])
}

function end_mutant() {
    if (id == "") return
    check()
    if (mode == "list") {
        print id "\t" (file == "" ? "-" : file) "\t" (tests == "" ? "-" : tests) "\t" begun "\t" (wrong == "" ? "-" : wrong) "\t" (reason == "" ? "-" : reason)
    } else if (id == wanted && wrong == "") {
        text = source(root "/" file)
        printf "%s", substr(text, 1, found - 1) new substr(text, found + length(old))
    }
    id = file = old = new = tests = reason = wrong = ""
    olds = news = 0
}
