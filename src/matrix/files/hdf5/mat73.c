/* MATLAB's files of version 7.3, which are HDF5: a sparse matrix is a group of data, ir and jc, and a struct
 * a group of its fields. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "matrix/files/reader.h"

static enum likeness sniff(const struct beginning *sample)
{
    const char *b = sample->bytes;
    bool version = sample->count >= 520 && ((b[126] == 'I' && b[127] == 'M' && b[125] == 2) ||
                                            (b[126] == 'M' && b[127] == 'I' && b[124] == 2));
    return version && memcmp(b + 512, "\x89HDF\r\n\x1a\n", 8) == 0 ? LIKENESS_CERTAIN : LIKENESS_NONE;
}

#ifdef HAVE_HDF5
#    include <stdlib.h>

#    include "base/memory.h"
#    include "matrix/files/hdf5/h5.h"
#    include "matrix/files/problem/texts.h"
#    include "matrix/files/problem/zeros.h"

#    define DEPTH_MAX 6
#    define LIST_MAX 1500
#    define LINKS_MAX 100000 /* maximum number of links followed to find a matrix */

/* The sparse matrices of the file. */
struct search {
    char name[H5_NAME]; /* the name of the last one, or Problem.A if it exists */
    bool problem;
    int count;
    struct text list;
    const char *prefix;
    int depth;
    int64_t links;
    struct h5_found *found;
    struct h5_seen seen;
};

/* Groups are visited once, but each may link to all, and a damaged one may have no end. */
static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *self)
{
    struct search *search = self;
    char full[H5_NAME];
    herr_t ended = 0;
    if (search->links++ == LINKS_MAX) return 1;
    int length = snprintf(full, sizeof full, "%s%s%s", search->prefix, search->prefix[0] ? "." : "", name);
    if (name[0] == '#' || length >= (int)sizeof full) return 0;
    hid_t object = hdf5.H5Oopen(group, name, H5P_DEFAULT);
    search->found->steps++;
    if (object < 0) return 0;
    if (hdf5.H5Iget_type(object) == H5I_GROUP && hdf5.H5Aexists(object, "MATLAB_sparse") > 0) {
        bool problem = strcmp(full, ZEROS_MATRIX) == 0;
        if (strcmp(full, ZEROS_NAME) == 0 || !h5_is_new(object, &search->seen)) {
            hdf5.H5Oclose(object);
            return 0;
        }
        search->count++;
        if (problem || !search->problem) snprintf(search->name, sizeof search->name, "%s", full);
        search->problem |= problem;
        if (search->list.length < LIST_MAX)
            text_append(&search->list, "%s%s", search->list.length ? ", " : "", full);
    } else if (hdf5.H5Iget_type(object) == H5I_GROUP && search->depth < DEPTH_MAX &&
               h5_is_new(object, &search->seen)) {
        const char *prefix = search->prefix;
        search->prefix = full;
        search->depth++;
        ended = hdf5.H5Literate(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, search);
        search->depth--;
        search->prefix = prefix;
    }
    hdf5.H5Oclose(object);
    return ended > 0;
}

/* Find the name of the matrix to read: Problem.A, or the only sparse one. */
static enum status find_name(const struct h5 *h5, struct search *search, struct error *error)
{
    search->prefix = "";
    hdf5.H5Literate(h5->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, search);
    const char *list = search->list.data ? text_visible(search->list.data) : "none";
    if (search->links > LINKS_MAX)
        return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0,
                        "has more than %d links, of which no more are followed; name the matrix as FILE:NAME",
                        LINKS_MAX);
    if (search->problem || search->count == 1) return STATUS_OK;
    return error_at(error, search->count ? STATUS_SEVERAL : STATUS_INPUT, container_path(h5->container), 0, 0,
                    search->count ? "several sparse matrices; name one as FILE:NAME of: %s"
                                  : "no sparse matrix; name another as FILE:NAME (sparse ones: %s)",
                    list);
}

static enum status view_sparse(struct h5 *h5, hid_t group, struct arrays *arrays, struct error *error)
{
    arrays->arrangement = ARRANGED_COLUMNS;
    if (!h5_number(group, "MATLAB_sparse", &arrays->rows))
        return error_at(error, STATUS_INPUT, arrays->path, 0, 0,
                        "the attribute MATLAB_sparse is not a number of rows");
    enum status status = h5_view(h5, group, "jc", &arrays->pointers, NULL, error);
    if (status != STATUS_OK) return status;
    if (arrays->pointers.count == 0)
        return error_at(error, STATUS_INPUT, arrays->path, 0, 0,
                        "dataset jc is empty, but should have one element more than there are columns");
    arrays->cols = arrays->pointers.count - 1;
    if (h5_has(group, "ir")) { /* without entries there is none */
        status = h5_view(h5, group, "ir", &arrays->row, NULL, error);
        if (status == STATUS_OK) status = h5_view(h5, group, "data", &arrays->value, NULL, error);
    } else
        arrays->row.name = "ir";
    char *class = NULL;
    if (status == STATUS_OK) status = h5_text(group, "MATLAB_class", &class, error);
    bool logical = class && strcmp(class, "logical") == 0;
    free(class);
    arrays->field = number_is_complex(arrays->value.type) && arrays->value.count ? FIELD_COMPLEX
                    : logical                                                    ? FIELD_PATTERN
                                                                                 : FIELD_REAL;
    return status;
}

static enum status view_full(struct h5 *h5, hid_t parent, const char *name, struct arrays *arrays,
                             struct error *error)
{
    int64_t size[2] = {0, 0};
    enum status status = h5_view(h5, parent, name, &arrays->value, size, error);
    arrays->value.name = "the list of values"; /* the parent lacks the child's path */
    arrays->arrangement = ARRANGED_DENSE_COLUMNS;
    arrays->rows = size[1];
    arrays->cols = size[0];
    arrays->field = number_is_complex(arrays->value.type)   ? FIELD_COMPLEX
                    : number_is_integer(arrays->value.type) ? FIELD_INTEGER
                                                            : FIELD_REAL;
    return status;
}

static enum status view_matrix(struct h5 *h5, const char *name, struct arrays *arrays, struct error *error)
{
    char path[H5_NAME];
    snprintf(path, sizeof path, "%s", name);
    for (char *c = path; *c; c++)
        if (*c == '.') *c = '/';
    *arrays = (struct arrays){.path = container_path(h5->container)};
    hid_t object = hdf5.H5Oopen(h5->file, path, H5P_DEFAULT);
    if (object < 0) return error_at(error, STATUS_INPUT, arrays->path, 0, 0, "no matrix is called %s", name);
    enum status status = hdf5.H5Iget_type(object) == H5I_GROUP ? view_sparse(h5, object, arrays, error)
                                                               : view_full(h5, h5->file, path, arrays, error);
    hdf5.H5Oclose(object);
    return status;
}

/* Return the class that MATLAB has given an object, "char" or "double"; the caller frees it. NULL if there is
 * none. */
static char *class_of(hid_t group, const char *name)
{
    char *class = NULL;
    hid_t object = hdf5.H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) return NULL;
    if (hdf5.H5Aexists(object, "MATLAB_empty") <= 0) h5_text(object, "MATLAB_class", &class, NULL);
    hdf5.H5Oclose(object);
    return class;
}

/* Take a field of the struct: characters, or the collection's number of the matrix. */
static enum status take_field(struct h5 *h5, hid_t group, const char *field, bool number, struct about *about,
                              struct error *error)
{
    struct view view;
    int64_t size[2] = {0, 0}, rounded = 0;
    double id = 0;
    enum status status = h5_view(h5, group, field, &view, size, error);
    if (status != STATUS_OK || view.count == 0 || view.count > CHARACTERS_MAX) return status;
    if (number) {
        if (view.count == 1) status = view_reals(&view, 0, 1, &id, NULL, &rounded, error);
        if (status == STATUS_OK) texts_take_id(id, about);
        return status;
    }
    struct characters all = {.count = view.count, .lines = size[1]};
    int64_t *units = memory_array((size_t)all.count, sizeof *units, error);
    all.code = memory_array((size_t)all.count, sizeof *all.code, error);
    if (!units || !all.code) status = STATUS_MEMORY;
    if (status == STATUS_OK) status = view_integers(&view, 0, all.count, units, error);
    for (int64_t k = 0; k < all.count && status == STATUS_OK; k++)
        all.code[k] = units[k] >= 0 && units[k] < 0x110000 ? (int32_t)units[k] : '?';
    if (status == STATUS_OK) texts_take(field, &all, about);
    free(units);
    free(all.code);
    return status;
}

/* The arguments of take_texts for the function below. */
struct taking {
    struct h5 *h5;
    struct error *error;
    enum status status;
};

static herr_t visit_field(hid_t group, const char *name, const H5L_info_t *info, void *self)
{
    struct taking *taking = self;
    struct error wrong = {0};
    if (!texts_are_in(name)) return 0;
    char *class = class_of(group, name);
    bool text = class && strcmp(class, "char") == 0, number = class && !text && strcmp(name, "id") == 0;
    free(class);
    if (!text && !number) return 0;
    struct h5_found *found = taking->h5->found;
    enum status status = take_field(taking->h5, group, name, number, &found->about, &wrong);
    if (status == STATUS_INPUT) { /* a damaged text does not invalidate the matrix */
        char why[512];
        size_t length = strlen(found->notes);
        snprintf(found->notes + length, sizeof found->notes - length, "%s of the file is not shown: %s\n",
                 name, error_text(&wrong, why, sizeof why));
    } else if (status != STATUS_OK) {
        taking->status = status;
        if (taking->error) *taking->error = wrong;
    }
    return taking->status == STATUS_OK ? 0 : 1;
}

/* Take the texts of the struct that the matrix of this name is in, those of the SuiteSparse collection. */
static enum status take_texts(struct h5 *h5, const char *name, struct error *error)
{
    struct taking taking = {h5, error, STATUS_OK};
    char parent[H5_NAME];
    size_t length = strcspn(name, ".");
    if (!name[length] || length >= sizeof parent) return STATUS_OK;
    snprintf(parent, sizeof parent, "%.*s", (int)length, name);
    hid_t group = hdf5.H5Oopen(h5->file, parent, H5P_DEFAULT);
    if (group < 0) return STATUS_OK;
    if (hdf5.H5Iget_type(group) == H5I_GROUP)
        hdf5.H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_field, &taking);
    hdf5.H5Oclose(group);
    return taking.status;
}

/* Take the explicit zeros stored beside the matrix. */
static enum status view_zeros(struct h5 *h5, struct error *error)
{
    struct h5_found *found = h5->found;
    found->zeros = (struct arrays){.path = container_path(h5->container)};
    hid_t problem = hdf5.H5Oopen(h5->file, "Problem", H5P_DEFAULT);
    found->has_zeros = problem >= 0 && hdf5.H5Iget_type(problem) == H5I_GROUP && h5_has(problem, "Zeros");
    hid_t zeros = found->has_zeros ? hdf5.H5Oopen(problem, "Zeros", H5P_DEFAULT) : H5I_INVALID_HID;
    found->sparse_zeros =
        zeros >= 0 && hdf5.H5Iget_type(zeros) == H5I_GROUP && hdf5.H5Aexists(zeros, "MATLAB_sparse") > 0;
    enum status status = found->sparse_zeros ? view_sparse(h5, zeros, &found->zeros, error) : STATUS_OK;
    if (zeros >= 0) hdf5.H5Oclose(zeros);
    if (problem >= 0) hdf5.H5Oclose(problem);
    return status;
}

static enum status gather(struct h5 *h5, const char *name, struct error *error)
{
    struct h5_found *found = h5->found;
    struct search *search = memory_zeroed(1, sizeof *search, error);
    enum status status = STATUS_OK;
    if (!search) return STATUS_MEMORY;
    search->found = found;
    if (!name) {
        status = find_name(h5, search, error);
        name = search->name;
    }
    snprintf(found->name, sizeof found->name, "%s", name);
    if (status == STATUS_OK) status = view_matrix(h5, name, &found->arrays, error);
    if (status == STATUS_OK && strcmp(name, ZEROS_MATRIX) == 0) status = view_zeros(h5, error);
    if (status == STATUS_OK) status = take_texts(h5, name, error);
    text_free(&search->list);
    free(search);
    return status;
}

static enum status read_mat73(struct container *container, const struct load_options *options,
                              struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct h5_reading reading;
    const char *name = container_variable(container);
    enum status status = h5_begin(container, options, gather, &matrix->about, progress, &reading, error);
    const struct h5_found *found = reading.found;
    if (status == STATUS_OK) status = arrays_build(&found->arrays, options, progress, matrix, error);
    if (status == STATUS_OK && found->has_zeros)
        status = zeros_take(found->sparse_zeros ? &found->zeros : NULL, options, progress, matrix, error);
    if (status == STATUS_OK) {
        matrix->about = found->about;
        text_append(&matrix->notes, "%s", found->notes);
        matrix->variable = memory_string(name ? name : found->name, error);
        if (!matrix->variable) status = STATUS_MEMORY;
    }
    if (status != STATUS_OK) csr_free(&matrix->csr);
    h5_end(&reading);
    return status;
}
#endif

const struct reader reader_mat73 = {
    .name = "mat7.3",
    .title = "MATLAB 7.3",
    .endings = (const char *const[]){NULL},
    .variables = true,
    .sniff = sniff,
#ifdef HAVE_HDF5
    .read = read_mat73,
#else
    .package = "libhdf5-dev",
#endif
};
