"""A recipe for Spack. Tarballs are not published yet: `spack dev-build sparsight@0.1.0` builds a folder where one is
unpacked. When one is published, its sum is added to its version."""

from spack.package import *

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass  # before Spack 1.0 they are in spack.package


class Sparsight(AutotoolsPackage, CudaPackage):
    """An interactive terminal visualiser and analyser for sparse matrices: pattern, storage formats element by element,
    kernels of the sparse matrix-vector product on processors and GPUs, and what they move."""

    homepage = "https://a-seed-fd152d2e.example/sparsight"
    url = "https://a-seed-fd152d2e.example/sparsight/releases/sparsight-0.1.0.tar.xz"

    license("BSD-2-Clause")

    version("0.1.0")

    variant("curses", default=True, description="The explorer, in the terminal")
    variant("suitesparse", default=True, description="The orders amd and colamd")
    variant("metis", default=True, description="The orders nd and kway")
    variant("scotch", default=False, description="The partitions scotch, and with mpi ptscotch")
    variant("zoltan", default=False, description="With mpi, the partitions hypergraph and finegrain")
    variant("mpi", default=False, description="sparsight-mpi: reports on matrices that many processes hold together")
    variant("cairo", default=True, description="Pictures as PNG and PDF")
    variant("hwloc", default=True, description="The cores and caches of the machine, and pinned threads")
    variant("isal", default=False, description="gzip unpacked in half the time")
    variant("hdf5", default=True, description="Binsparse and MATLAB files of version 7.3")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("zlib-api")
    depends_on("libarchive@3.1:")
    depends_on("jansson@2.11:")
    depends_on("ncurses", when="+curses")
    depends_on("suite-sparse", when="+suitesparse")
    depends_on("metis@5:", when="+metis")
    # PT-Scotch is of use with the MPI of sparsight-mpi alone.
    depends_on("scotch@7: ~mpi", when="+scotch ~mpi")
    depends_on("scotch@7: +mpi", when="+scotch +mpi")
    depends_on("zoltan +mpi", when="+zoltan +mpi")
    depends_on("mpi", when="+mpi")
    # Files are read by one process: an HDF5 with MPI is taken only where there is an MPI anyway.
    depends_on("hdf5 ~mpi", when="+hdf5 ~mpi")
    depends_on("hdf5", when="+hdf5 +mpi")
    depends_on("cairo@1.16: +png +pdf", when="+cairo")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("isa-l@2.20:", when="+isal")

    def configure_args(self):
        args = []
        for name in ("curses", "suitesparse", "metis", "scotch", "hdf5", "cairo", "hwloc", "isal"):
            args += self.with_or_without(name)
        args += self.with_or_without("zoltan") if "+mpi" in self.spec else ["--without-zoltan"]
        if "+suitesparse" in self.spec:
            # Newer ones have their headers in a folder.
            args.append("CPPFLAGS=-I" + join_path(self.spec["suite-sparse"].prefix, "include", "suitesparse"))
        args.append("--with-mpi=" + self.spec["mpi"].mpicc if "+mpi" in self.spec else "--without-mpi")
        if "+cuda" in self.spec:
            args.append("--with-cuda=" + self.spec["cuda"].prefix)
            arches = self.spec.variants["cuda_arch"].value
            if "none" not in arches:
                args.append("--with-cuda-arch=" + ",".join(arches))
        else:
            args.append("--without-cuda")
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def multiply(self):
        """Every kernel of the processor multiplies a small matrix, and is checked row by row."""
        program = Executable(join_path(self.prefix.bin, "sparsight"))
        program("report", "--kernels=cpu", "--repeat=2", join_path(self.prefix.share, "sparsight", "pmpp.mtx"))
