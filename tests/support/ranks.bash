# Running programs under mpirun. `load ../support/ranks` in a .bats file, and need_ranks in its setup.

# Skip the test where this build has no MPI.
need_ranks() {
    [ -n "$MPIRUN" ] || skip "built without MPI (apt-get install libopenmpi-dev or libmpich-dev; configure --with-mpi)"
    [ "$MPIRUN" != none ] || skip "no mpirun (apt-get install openmpi-bin or mpich)"
}

# ranks COUNT PROGRAM [ARGUMENT]...: run COUNT ranks, more than processors if necessary, for fifteen minutes at most. Ranks that
# wait yield, and none is bound to a processor, so that they share what there is. Open MPI wants to be asked for each of these,
# and to be allowed to run as root, as in containers; MPICH knows none of the switches.
ranks() {
    local count=$1
    shift
    case $("$MPIRUN" --version 2>&1) in
    *"Open MPI"* | *OpenRTE* | *PRRTE*)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
            OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
            timeout -k 5 900 "$MPIRUN" --oversubscribe --bind-to none -n "$count" "$@"
        ;;
    *) timeout -k 5 900 "$MPIRUN" -n "$count" "$@" ;;
    esac
}

# Run sparsight-mpi with this number of ranks: $status, standard output in the file out, standard error in the file err.
sparsight_mpi() {
    local count=$1
    shift
    status=0
    ranks "$count" "$BUILDDIR/sparsight-mpi" "$@" >out 2>err </dev/null || status=$?
}
