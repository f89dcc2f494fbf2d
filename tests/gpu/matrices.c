#include "gpu/matrices.h"

#include <stdio.h>
#include <string.h>

const struct gpu_matrix gpu_matrices[] = {
    {{"stencil27-128", MAKE_AS_IT_IS, "gen:stencil27,n=128"}, KIND_STENCIL},
    {{"bcsstk33", MAKE_TILED, "bcsstk33"}, KIND_ELEMENTS},
    {{"bayer10", MAKE_TILED, "bayer10"}, KIND_CIRCUIT},
    {{"DFL001", MAKE_TILED, "DFL001_A"}, KIND_LP},
    {{"rmat-20-16", MAKE_AS_IT_IS, "gen:powerlaw,scale=20,edge=16"}, KIND_RMAT},
    {{"laplace2d-2000", MAKE_AS_IT_IS, "gen:laplace2d,n=2000"}, KIND_STENCIL},
    {{"random-band", MAKE_AS_IT_IS, "gen:banded,n=1600000,lower=32,fill=0.33"}, KIND_BANDED},
    {{"wiki-Vote", MAKE_TILED, "wiki-Vote"}, KIND_GRAPH},
    {{"permutation", MAKE_AS_IT_IS, "gen:permutation,n=10000000"}, KIND_PERMUTATION},
    {{"BOYD2", MAKE_TILED, "BOYD2_A"}, KIND_LP},
    {{"pp_out", MAKE_TILED, "pp_out"}, KIND_OTHER},
    {{"dense-6000", MAKE_AS_IT_IS, "gen:dense,m=6000"}, KIND_OTHER},
    {{"gun_K", MAKE_TILED, "gun_K"}, KIND_ELEMENTS},
    {{"rajat01", MAKE_TILED, "rajat01"}, KIND_CIRCUIT},
    {{"orani678", MAKE_TILED, "orani678"}, KIND_OTHER},
    {{"FIT2D", MAKE_TILED, "FIT2D_A"}, KIND_LP},
    {{"full-rows", MAKE_FULL_ROWS}, KIND_OTHER},
    {{"band-7", MAKE_AS_IT_IS, "gen:banded,n=5000000,lower=3"}, KIND_BANDED},
    {{"fe_4elt2", MAKE_TILED, "fe_4elt2"}, KIND_ELEMENTS},
    {{"luxembourg", MAKE_TILED, "luxembourg"}, KIND_GRAPH},
    {{"QAP15", MAKE_TILED, "QAP15_A"}, KIND_LP},
    {{"cavity14", MAKE_TILED, "cavity14"}, KIND_ELEMENTS},
    {{"1138_bus", MAKE_TILED, "1138_bus"}, KIND_CIRCUIT},
    {{"helmholtz_2D", MAKE_TILED, "helmholtz_2D_A"}, KIND_OTHER},
    {{"rail_79841", MAKE_TILED, "rail_79841_A"}, KIND_LP},
    {{"long-rows", MAKE_AS_IT_IS, "gen:random,m=16384,mean=2000,spread=1000"}, KIND_OTHER},
    {{"MAROS-R7", MAKE_TILED, "MAROS-R7_A"}, KIND_LP},
    {{"bcsstk13", MAKE_TILED, "bcsstk13"}, KIND_ELEMENTS},
    {{"email-Eu-core", MAKE_TILED, "email-Eu-core"}, KIND_GRAPH},
    {{"CONT-201", MAKE_TILED, "CONT-201_A"}, KIND_LP},
    {{"lap3d_40", MAKE_TILED, "lap3d_40"}, KIND_OTHER},
    {{"foundation_K", MAKE_TILED, "foundation_K"}, KIND_ELEMENTS},
    {{"STOCFOR3", MAKE_TILED, "STOCFOR3_A"}, KIND_LP},
    {{"photoniccrystal", MAKE_TILED, "photoniccrystal_2160_ATM"}, KIND_OTHER},
    {{"anisotropic3d", MAKE_TILED, "anisotropic3d7816"}, KIND_OTHER},
    {{"random", MAKE_AS_IT_IS, "gen:random,m=2000000,mean=16"}, KIND_GRAPH},
    {{"blocks", MAKE_AS_IT_IS, "gen:blocks,n=1600000,size=4,mean=5"}, KIND_OTHER},
    {{"laplace2d-3000", MAKE_AS_IT_IS, "gen:laplace2d,n=3000"}, KIND_STENCIL},
    {{0}},
};

const struct gpu_matrix *gpu_matrix_called(const char *name)
{
    for (const struct gpu_matrix *m = gpu_matrices; m->subject.name; m++)
        if (strcmp(m->subject.name, name) == 0) return m;
    return NULL;
}

void gpu_matrices_list(void)
{
    for (const struct gpu_matrix *m = gpu_matrices; m->subject.name; m++)
        printf("%-16s %-12s %s\n", m->subject.name, kind_name(m->kind),
               m->subject.file ? m->subject.file : "");
}
