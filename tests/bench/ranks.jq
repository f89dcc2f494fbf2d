# The lines of ranks.sh from the reports of one matrix: $one of one process, with the parts; the others of ranks, as the
# input. $scaling is weak or strong, $first what the kernels took with one rank and the bytes that they moved, by their names, and $whole the same of one
# process that has the processors of all ranks, or of GPUs the time of one rank over the number of ranks. An element that is exchanged is read, packed and
# put into the halo, 8 bytes each, by an index of 4.
def rounded($digits): if . == null then "-" else . * pow(10; $digits) | round / pow(10; $digits) end;
.matrices[0] as $matrix
| $one.matrices[0].distribution as $parts
| ($matrix.kernels | map(select(.backend == "petsc" and .unavailable == null)) | first | .min_us) as $petsc
| $matrix.kernels[] | select(.unavailable == null)
| (.ranks.count // 1) as $ranks
| ($first[.kernel].us // null) as $alone
| ($parts.partitions[] | select(.parts == $ranks)) as $part
| ($whole[.kernel] // null) as $together
| (if $together.bytes == null or .bytes == null then 1 else (.bytes + 28 * $part.volume) / $together.bytes end) as $more
| (if $together == null or $scaling == "weak" then null else $together.us * $part.imbalance * $more + $part.exchange_us end) as $predicted
| [$scaling, $matrix.name, $matrix.rows, $matrix.nnz, $ranks, .kernel, (.min_us | rounded(1)), (.low_us | rounded(1)), (.median_us | rounded(1)),
   (.ranks.compute_us | rounded(1)), (.ranks.exchange_us | rounded(1)), (.ranks.wait_us | rounded(1)), (.ranks.imbalance | rounded(3)),
   (if $petsc == null then null else $petsc / .min_us end | rounded(2)),
   (if $alone == null then null elif $scaling == "weak" then $alone / .min_us else $alone / .min_us / $ranks end | rounded(3)),
   ($predicted | rounded(1)), (if $predicted == null then null else $predicted / .min_us end | rounded(2))]
| map(tostring) | join("\t")
