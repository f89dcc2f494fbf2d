/* A fake cuSPARSE that is only looked for: it has the functions by name, none of which computes, and the
 * version in FAKE_CUSPARSE ("12.9.4"). With LACKING_OP it lacks the plan of SpMVOp and the triangular solve,
 * with LACKING the product of vectors, which all releases have. */
#include <stdio.h>
#include <stdlib.h>

int cusparseGetProperty(int what, int *value);
int cusparseGetProperty(int what, int *value)
{
    int version[3] = {0, 0, 0};
    const char *text = getenv("FAKE_CUSPARSE");
    if (!text || what < 0 || what > 2 || sscanf(text, "%d.%d.%d", &version[0], &version[1], &version[2]) < 1)
        return 1;
    *value = version[what];
    return 0;
}

#define FUNCTION(name) \
    int name(void);    \
    int name(void)     \
    {                  \
        return 1;      \
    }

FUNCTION(cusparseGetErrorString)
FUNCTION(cusparseGetErrorName)
FUNCTION(cusparseCreate)
FUNCTION(cusparseDestroy)
FUNCTION(cusparseSetStream)
FUNCTION(cusparseCreateDnVec)
FUNCTION(cusparseDestroyDnVec)
FUNCTION(cusparseDnVecSetValues)
FUNCTION(cusparseCreateCsr)
FUNCTION(cusparseCreateCoo)
FUNCTION(cusparseDestroySpMat)
FUNCTION(cusparseCreateDnMat)
FUNCTION(cusparseDestroyDnMat)
FUNCTION(cusparseDnMatSetValues)
FUNCTION(cusparseSpMM_bufferSize)
FUNCTION(cusparseSpMM)
FUNCTION(cusparseSpMV_bufferSize)
#ifndef LACKING
FUNCTION(cusparseSpMV)
#endif
FUNCTION(cusparseSpMatSetAttribute)
FUNCTION(cusparseSpSV_createDescr)
FUNCTION(cusparseSpSV_destroyDescr)
FUNCTION(cusparseSpSV_bufferSize)
FUNCTION(cusparseSpSV_analysis)
#ifndef LACKING_OP
FUNCTION(cusparseSpSV_solve)
#endif
FUNCTION(cusparseSpMVOp_bufferSize)
FUNCTION(cusparseSpMVOp_createDescr)
FUNCTION(cusparseSpMVOp_destroyDescr)
#ifndef LACKING_OP
FUNCTION(cusparseSpMVOp_createPlan)
#endif
FUNCTION(cusparseSpMVOp_destroyPlan)
FUNCTION(cusparseSpMVOp)
