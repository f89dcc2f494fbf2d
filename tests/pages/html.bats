#!/usr/bin/env bats
# Reports as HTML pages: their contents, and their behaviour in real browsers (browser.py).

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
}

# write_hostile FILE: 3000 x 4000 with some thousand entries, and HTML markup in its texts.
write_hostile() {
    awk 'BEGIN {
        print "%%MatrixMarket matrix coordinate real general"
        print "% title: <script>window.hacked=1</script>"
        print "% author: \"><img src=x onerror=window.hacked=2>"
        print "% notes:"
        print "% </p></script><iframe src=http://example.org></iframe>"
        seed = 7
        for (k = 0; k < 6000; k++) {
            seed = (seed * 16807) % 2147483647; i = 1 + int(seed % 3000 * (seed % 1000) / 1000)
            seed = (seed * 16807) % 2147483647; j = 1 + seed % 4000
            if (!((i, j) in there)) { there[i, j] = 1; count++ }
        }
        print 3000, 4000, count
        for (place in there) { split(place, ij, SUBSEP); print ij[1], ij[2], 1 }
    }' >"$1"
}

in_browser() { # in_browser NAME [WIDTH]
    need python3
    need "$1"
    local name='<img src=x onerror=window.hacked=3>'
    write_hostile "$name.mtx"
    sparsight report --limit=8M --format=html --kernels='cpu/csr-seq cpu/ell-seq' --repeat=2 "$name.mtx" -o page.html
    show
    [ "$status" -eq 0 ]
    run python3 "$SRCDIR/tests/pages/browser.py" "$1" page.html "$name.mtx" $2
    echo "$output"
    [ "$status" -ne 77 ] || skip "$1 does not start here"
    [ "$status" -eq 0 ]
}

@test "Chromium: no error, no request, exact counts at every zoom, sorted tables" {
    in_browser chromium
}

@test "Firefox: no error, no request, exact counts at every zoom, sorted tables" {
    in_browser firefox
}

@test "a telephone's width is enough" {
    in_browser chromium 390
}

@test "a page without the test's probe opens from a file" {
    need chromium
    sparsight report --format=html gen:laplace2d,n=40 -o page.html
    run chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
        --virtual-time-budget=20000 --dump-dom "file://$PWD/page.html"
    [ -n "$output" ] || skip "chromium does not start here"
    [[ $output == *'data-ready=""'* ]]
    [[ $output == *'Rows 1–'* ]]
    [[ $output != *'class="bad">This browser'* ]]
}

@test "a page has no links to the outside" {
    write_hostile a.mtx
    write_matrix b.mtx
    sparsight report --limit=8M --format=html --kernels=cpu/csr-seq --repeat=2 --arrays=csr b.mtx a.mtx -o page.html
    [ "$status" -eq 0 ]
    [ "$(grep -c "default-src 'none'" page.html)" -eq 1 ]
    # Attributes that could load something, except for data and anchors within the page. Words of a.mtx are escaped.
    run grep -noE '(src|href|srcset|poster|action|data)="[^"]{0,30}' page.html
    printf '%s\n' "$output" | grep -vE '="(data:image/png;base64,|data:,|#m[0-9]+$)' | tee wrong
    [ ! -s wrong ]
    run grep -nE '@import|url\(|fetch\(|XMLHttpRequest|WebSocket|import\(|<iframe|<link rel="s' page.html
    echo "$output"
    [ "$status" -eq 1 ]
    grep -qF '&lt;script&gt;window.hacked=1&lt;/script&gt;' page.html
    [ "$(grep -c '<script' page.html)" -eq 3 ] # two patterns, and the page's own script
}

@test "a page is valid HTML" {
    need tidy
    write_hostile a.mtx
    write_matrix b.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 0\n' >empty.mtx
    sparsight report --limit=8M --format=html --kernels=cpu/csr-seq --repeat=2 --arrays=csr,ell --precision=f64,f32 \
        a.mtx b.mtx empty.mtx missing.mtx -o page.html
    [ "$status" -eq 1 ]
    run tidy -q -e page.html
    # tidy knows HTML 5, but not all of SVG's attributes.
    printf '%s\n' "$output" | grep -vE '<svg> proprietary attribute|^$' | tee wrong
    [ ! -s wrong ]
}

@test "several matrices have an index with pictures and with the failed ones" {
    write_matrix one.mtx
    write_matrix two.mtx
    sparsight report --format=html --reorder=rcm one.mtx missing.mtx gen:laplace2d,n=30 -o page.html
    [ "$status" -eq 1 ]
    sed -n '/<nav id="index"/,/<\/nav>/p' page.html >index
    [ "$(grep -c '^<tr><td>' index)" -ge 4 ]
    [ "$(grep -c '^<tr><td><img class="still"' index)" -ge 3 ]
    local id
    for id in $(grep -oE 'href="#m[0-9]+' index | grep -oE 'm[0-9]+'); do
        [ "$(grep -c "<article id=\"$id\"" page.html)" -eq 1 ]
    done
    [ "$(grep -c '<article id="m' page.html)" -eq "$(grep -c '^<tr><td>' index)" ]
    grep -q 'could not be read' index
    grep -q 'data-title="' index
    sparsight report --format=html one.mtx -o page.html
    [ "$(grep -c '<nav id="index"' page.html)" -eq 0 ]
}

@test "with parts a page shows the owners of rows, once for each partition" {
    sparsight report --format=html --parts=4,8 --partition='natural entries' gen:laplace2d,n=30 -o page.html
    [ "$status" -eq 0 ]
    [ "$(grep -c '<h3>Pictures of parts</h3>' page.html)" -eq 1 ]
    [ "$(grep -c '<figcaption>owners of the entries: natural, 4 parts</figcaption>' page.html)" -eq 1 ]
    [ "$(grep -c '<figcaption>owners of the entries: entries, 4 parts</figcaption>' page.html)" -eq 1 ]
    [ "$(grep -c 'owners of the entries' page.html)" -eq 2 ]
    # The pictures equal those of plot.
    sparsight plot --by=owner --parts=4 --partition=natural --size=480x540 gen:laplace2d,n=30 -o plot.svg
    [ "$status" -eq 0 ]
    grep -oE 'data:image/png;base64,[^"]*' plot.svg >picture
    [ -s picture ]
    grep -qFf picture page.html
    sparsight report --format=html gen:laplace2d,n=30 -o page.html
    [ "$(grep -c 'owners of the entries' page.html)" -eq 0 ]
    # Any matrix fits: random entries, whose picture cannot be packed.
    sparsight report --format=html --parts=8,16 --partition='natural entries' gen:random,m=60000,mean=15 -o page.html
    [ "$status" -eq 0 ]
    [ "$(wc -c <page.html)" -le 3000000 ]
    grep -q 'owners of the entries' page.html
}

@test "any matrix takes at most 3,000,000 bytes" {
    local spec
    # Random entries, which cannot be packed, and rows without repetition.
    for spec in random,m=50000,mean=20 random,m=300,n=500000,mean=2000 powerlaw,scale=15,edge=20; do
        sparsight report --format=html "gen:$spec" -o page.html
        [ "$status" -eq 0 ]
        wc -c page.html
        [ "$(wc -c <page.html)" -le 3000000 ]
        [ "$(wc -c <page.html)" -ge 1000000 ]
    done
    # Arrays of 300,000 elements, some 5 MB each as text.
    sparsight report --format=html --arrays=csr,coo,ell,jds --precision=f64,f32 gen:random,m=20000,mean=15 -o page.html
    wc -c page.html
    [ "$(wc -c <page.html)" -le 3000000 ]
    grep -q 'rest of these arrays does not fit' page.html
}
