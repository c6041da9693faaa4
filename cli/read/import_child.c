/* The importer's side: reads a file with Assimp and writes a flat description of it to a pipe.
 *
 * Nothing changes a coordinate: faces with more than three corners are cut into triangles, and that is all. Single
 * precision numbers become doubles exactly. Walks trees without recursion; whatever goes wrong here ends this process
 * only. */
#define _DEFAULT_SOURCE
#include "read/import.h"

#include "read/beside.h"
#include "read/model_text.h"
#include "read/obj_names.h"
#include "read/package.h"
#include "read/ply.h"
#include "read/polygon.h"
#include "read/sink.h"
#include "read/source.h"
#include "read/unread.h"
#include "read/whole.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* --- files ----------------------------------------------------------------------------------------------------- */

/* Every file that the importer opens, once: what the command writes must not replace one of them. */
typedef struct opened_file {
    uint64_t identity[2];
    char *path;
} opened_file;
typedef struct opened_files {
    const char *model;
    opened_file *list;
    size_t count, capacity;
    char *outside; /* the first that was not opened, as it is not below the model's folder */
} opened_files;

static void note_file(opened_files *all, const char *path, const struct stat *s) {
    opened_file f = {{(uint64_t)s->st_dev, (uint64_t)s->st_ino}, NULL};
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        all->list = realloc(all->list, all->capacity * sizeof *all->list);
    }
    f.path = strdup(path);
    if (!all->list || !f.path) _exit(5);
    all->list[all->count++] = f;
}

static void note_opened(opened_files *all, const char *path, const struct stat *s) {
    const uint64_t identity[2] = {(uint64_t)s->st_dev, (uint64_t)s->st_ino};
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(all->list[i].identity, identity, sizeof identity) == 0) return;
    note_file(all, path, s);
}

/* A file that the importer looked for and did not find: an answer that is kept holds as long as there is none. */
static void note_missed(opened_files *all, const char *path) {
    static const struct stat nothing;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].path, path) == 0) return;
    note_file(all, path, &nothing);
}

static size_t file_read(struct aiFile *f, char *out, size_t size, size_t count) {
    return fread(out, size, count, (FILE *)(void *)f->UserData);
}
static size_t file_write(struct aiFile *f, const char *data, size_t size, size_t count) {
    (void)f, (void)data, (void)size, (void)count;
    return 0;
}
static size_t file_tell(struct aiFile *f) { return (size_t)ftell((FILE *)(void *)f->UserData); }
static size_t file_size(struct aiFile *f) {
    FILE *file = (FILE *)(void *)f->UserData;
    const long at = ftell(file);
    const long size = at >= 0 && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    return at >= 0 && fseek(file, at, SEEK_SET) == 0 && size > 0 ? (size_t)size : 0;
}
static enum aiReturn file_seek(struct aiFile *f, size_t offset, enum aiOrigin origin) {
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek((FILE *)(void *)f->UserData, (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}
static void file_flush(struct aiFile *f) { (void)f; }

static bool has_suffix(const char *path, const char *suffix) {
    const size_t length = strlen(path), n = strlen(suffix);
    return length >= n && strcasecmp(path + length - n, suffix) == 0;
}

/* The model in memory, until the process ends, where it has to be another than the file: text in UTF-8 without a mark,
 * an OBJ with its objects told apart, a PLY with points and faces alone. NULL where the file does as it is. */
static FILE *open_text(const char *path) {
    model_text t;
    if (!model_text_open(path, &t)) return NULL;
    size_t size;
    char *other = has_suffix(path, ".obj") ? obj_tell_apart(t.bytes, t.size, &size)
                                           : ply_plain((bytes){t.bytes, t.bytes + t.size}, &size);
    if (other) {
        model_text_close(&t);
        return fmemopen(other, size, "rb");
    }
    if (t.changed && t.size > 0) return fmemopen((char *)(uintptr_t)t.bytes, t.size, "rb");
    model_text_close(&t);
    return NULL;
}

/* The model, and what is below its folder. */
static FILE *open_beside(opened_files *all, const char *path, const char *mode, struct stat *s) {
    const bool is_model = strcmp(path, all->model) == 0;
    char *found = is_model ? strdup(path) : find_beside(all->model, path);
    if (!found && errno == EXDEV && !all->outside) all->outside = strdup(path);
    if (!found) return NULL;
    FILE *opened = is_model ? open_text(path) : NULL;
    if (!opened) opened = fopen(found, mode);
    int error = errno;
    if (opened && stat(found, s) != 0) _exit(5);
    free(found);
    errno = error;
    return opened;
}

static struct aiFile *file_open(struct aiFileIO *files, const char *path, const char *mode) {
    struct stat s;
    opened_files *all = (opened_files *)(void *)files->UserData;
    FILE *opened = *mode == 'r' ? open_beside(all, path, mode, &s) : NULL;
    if (!opened && *mode == 'r' && errno == ENOENT) note_missed(all, path);
    if (!opened) return NULL;
    struct aiFile *f = malloc(sizeof *f);
    if (!f) _exit(5);
    if (S_ISREG(s.st_mode)) note_opened(all, path, &s);
    *f = (struct aiFile){file_read, file_write, file_tell, file_size, file_seek, file_flush, (char *)(void *)opened};
    return f;
}
static void file_close(struct aiFileIO *files, struct aiFile *f) {
    (void)files;
    fclose((FILE *)(void *)f->UserData);
    free(f);
}

static void put_opened(sink *s, const opened_files *all) {
    for (size_t i = 0; i < all->count; i++) sink_source(s, all->list[i].path, all->list[i].identity);
    if (!all->outside) return;
    char line[400];
    snprintf(line, sizeof line, "%.300s is outside the model's folder: it is not opened", all->outside);
    sink_text(s, IMPORT_NOTE, line);
}

/* --- what the importer says ---------------------------------------------------------------------------------- */

/* Its warnings, those that differ only in numbers counted as one. */
typedef struct saying {
    char text[240]; /* the first of its kind */
    char kind[240]; /* digits collapsed */
    uint32_t times;
} saying;
typedef struct sayings {
    saying list[48];
    uint32_t count, more;
    char importer[160]; /* its name for itself */
} sayings;

/* Surfaces' looks do not matter here, nor does what an old file does not know of. */
static bool is_about_looks(const char *text) {
    static const char *const words[] = {"material",
                                        "Material",
                                        "texture",
                                        "Texture",
                                        "BlendDNA",
                                        " light",
                                        "Light",
                                        "camera",
                                        "MTL",
                                        "add reason",
                                        " UV",
                                        "animation",
                                        "bone",
                                        "newer format version",
                                        "of unknown type",
                                        "of unsupported type"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i])) return true;
    return false;
}

/* "... for this file format: NAME." */
static void hear_importer(const char *message, sayings *all) {
    static const char before[] = "Found a matching importer for this file format: ";
    const char *name = strstr(message, before);
    if (!name) return;
    name += sizeof before - 1;
    size_t length = strcspn(name, "\r\n");
    if (length > 0 && name[length - 1] == '.') length--;
    snprintf(all->importer, sizeof all->importer, "%.*s", (int)length, name);
}

static void hear(const char *message, char *user) {
    sayings *all = (sayings *)(void *)user;
    hear_importer(message, all);
    if (strncmp(message, "Warn", 4) != 0 && strncmp(message, "Error", 5) != 0) return;
    const char *text = strstr(message, ": ");
    text = text ? text + 2 : message;
    size_t length = strcspn(text, "\r\n");
    if (length == 0 || is_about_looks(text)) return;
    saying now = {.times = 1};
    if (length >= sizeof now.text) length = sizeof now.text - 1;
    memcpy(now.text, text, length);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        bool digit = isdigit((unsigned char)text[i]);
        if (digit && used > 0 && now.kind[used - 1] == '#') continue;
        now.kind[used++] = digit ? '#' : text[i];
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].kind, now.kind) != 0) continue;
        all->list[i].times++;
        return;
    }
    if (all->count < sizeof all->list / sizeof all->list[0])
        all->list[all->count++] = now;
    else
        all->more++;
}

static void put_sayings(sink *s, const sayings *all) {
    char line[320];
    for (uint32_t i = 0; i < all->count; i++) {
        const saying *one = &all->list[i];
        if (one->times == 1)
            snprintf(line, sizeof line, "importer: %s", one->text);
        else
            snprintf(line, sizeof line, "importer: %s (and %u more like it)", one->text, one->times - 1);
        sink_text(s, IMPORT_NOTE, line);
    }
    if (all->more == 0) return;
    snprintf(line, sizeof line, "importer: %u further messages", all->more);
    sink_text(s, IMPORT_NOTE, line);
}

/* --- meshes -------------------------------------------------------------------------------------------------- */

/* What a mesh held before its polygons were cut. */
typedef struct face_count {
    uint32_t polygons, lines, dots, bad_indices;
    uint64_t expected; /* triangles there should be afterwards */
} face_count;

/* Counts the faces, and empties those with an index out of range: the cutting of polygons would follow it. */
static face_count count_faces(struct aiMesh *mesh) {
    face_count count = {0};
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        struct aiFace *face = &mesh->mFaces[i];
        bool bad = false;
        for (unsigned k = 0; k < face->mNumIndices; k++) bad |= face->mIndices[k] >= mesh->mNumVertices;
        if (bad) {
            count.bad_indices++;
            face->mNumIndices = 0;
        } else if (face->mNumIndices > 2) {
            count.expected += face->mNumIndices - 2;
            count.polygons += face->mNumIndices > 3;
        } else {
            count.lines += face->mNumIndices == 2;
            count.dots += face->mNumIndices == 1;
        }
    }
    if (mesh->mNumFaces == 0) count.dots = mesh->mNumVertices; /* a point cloud */
    return count;
}

/* Without what tells the pieces of an object apart. */
static uint32_t length_of_name(const struct aiString *name) {
    const size_t length = strnlen(name->data, sizeof name->data);
    const char *piece = memchr(name->data, OBJ_PIECE, length);
    return (uint32_t)(piece ? (size_t)(piece - name->data) : length);
}

/* A name as the file has it. */
static void put_name(sink *s, const struct aiString *name, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        const char c = name->data[i] == OBJ_BLANK ? ' ' : name->data[i];
        sink_put(s, &c, 1);
    }
}

/* The corners of all triangles, in the order of the faces, polygons cut; free() them. */
static uint32_t *cut_faces(const struct aiMesh *mesh, uint64_t expected, uint32_t *triangles) {
    static polygon_room room; /* until the process ends */
    uint32_t *all = malloc((size_t)(3 * expected + 1) * sizeof *all);
    if (!all) _exit(5);
    *triangles = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        const struct aiFace *face = &mesh->mFaces[i];
        uint32_t *out = &all[3 * (size_t)*triangles];
        if (face->mNumIndices < 3) continue;
        if (face->mNumIndices == 3)
            memcpy(out, face->mIndices, 3 * sizeof *out);
        else if (!polygon_cut(&room, &mesh->mVertices->x, face->mIndices, face->mNumIndices, out))
            continue;
        *triangles += face->mNumIndices - 2;
    }
    return all;
}

static void put_mesh(sink *s, const struct aiMesh *mesh, const face_count *before) {
    uint32_t triangles, name_length = length_of_name(&mesh->mName);
    uint32_t *corners = cut_faces(mesh, before->expected, &triangles);
    uint32_t points = mesh->mVertices && triangles > 0 ? mesh->mNumVertices : 0;
    uint32_t lost = before->expected > triangles ? (uint32_t)(before->expected - triangles) : 0;
    sink_record(s, IMPORT_MESH, UINT64_C(40) + name_length + UINT64_C(24) * points + UINT64_C(12) * triangles);
    sink_u32(s, points);
    sink_u32(s, triangles);
    sink_u32(s, before->polygons);
    sink_u32(s, before->lines);
    sink_u32(s, before->dots);
    sink_u32(s, lost);
    sink_u32(s, before->bad_indices);
    sink_u32(s, name_length);
    double deviation = -1; /* whoever made the triangles, it was not this program */
    sink_put(s, &deviation, sizeof deviation);
    put_name(s, &mesh->mName, name_length);
    for (uint32_t i = 0; i < points; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double point[3] = {(double)v->x, (double)v->y, (double)v->z};
        sink_put(s, point, sizeof point);
    }
    sink_put(s, corners, 3 * (size_t)triangles * sizeof *corners);
    free(corners);
}

/* --- nodes --------------------------------------------------------------------------------------------------- */

typedef struct waiting_node {
    const struct aiNode *node;
    uint32_t parent;
} waiting_node;

/* A node of a 3MF is called by the name of its object, which the importer leaves unread. One of a Collada file without
 * a name gets one from the importer: it is called by its id, if it has one. */
static const struct aiString *name_of_node(const struct aiNode *node, const package_objects *objects) {
    static const struct aiString none;
    const struct aiString *object = package_name(objects, node->mName.data);
    if (object) return object;
    static const char made_up[] = "$ColladaAutoName$_";
    if (strncmp(node->mName.data, made_up, sizeof made_up - 1) != 0) return &node->mName;
    const struct aiMetadata *data = node->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++)
        if (data->mValues[i].mType == AI_AISTRING && strcmp(data->mKeys[i].data, "Collada_id") == 0)
            return (const struct aiString *)data->mValues[i].mData;
    return &none;
}

/* False where its matrix is more than turn, scale and shear, as where rows stand for columns. */
static bool put_node(sink *s, const struct aiNode *node, uint32_t parent, const double root[12],
                     const package_objects *objects) {
    const struct aiMatrix4x4 *m = &node->mTransformation;
    const double last[4] = {(double)m->d1, (double)m->d2, (double)m->d3, (double)m->d4 - 1};
    double local[12] = {(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4, (double)m->b1, (double)m->b2,
                        (double)m->b3, (double)m->b4, (double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4};
    const struct aiString *name = name_of_node(node, objects);
    const uint32_t name_length = length_of_name(name);
    sink_record(s, IMPORT_NODE, UINT64_C(12) + sizeof local + name_length + UINT64_C(4) * node->mNumMeshes);
    sink_u32(s, parent);
    sink_u32(s, node->mNumMeshes);
    sink_u32(s, name_length);
    sink_put(s, parent == IMPORT_NONE ? root : local, sizeof local);
    put_name(s, name, name_length);
    for (unsigned i = 0; i < node->mNumMeshes; i++) sink_u32(s, node->mMeshes[i]);
    bool right = true; /* what is no number is told with the node */
    for (int i = 0; i < 4; i++) right = right && !(fabs(last[i]) > 1e-6);
    return right;
}

/* By name; of one name the object itself comes before its further pieces. */
static int compare_pieces(const void *a, const void *b) {
    const struct aiNode *p = *(struct aiNode *const *)a, *q = *(struct aiNode *const *)b;
    return strncmp(p->mName.data, q->mName.data, sizeof p->mName.data);
}

/* The meshes of the further pieces of an object of an OBJ (obj_names.h) become its own. */
static void join_pieces(const struct aiNode *top) {
    struct aiNode **sorted = malloc((top->mNumChildren + 1u) * sizeof *sorted);
    unsigned count = 0;
    if (!sorted) _exit(5);
    for (unsigned i = 0; i < top->mNumChildren; i++) sorted[count++] = top->mChildren[i];
    qsort(sorted, count, sizeof *sorted, compare_pieces);
    struct aiNode *object = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct aiNode *piece = sorted[i];
        if (!memchr(piece->mName.data, OBJ_PIECE, strnlen(piece->mName.data, sizeof piece->mName.data))) {
            object = piece;
            continue;
        }
        if (!object || piece->mNumMeshes == 0) continue;
        unsigned *all = malloc((object->mNumMeshes + piece->mNumMeshes) * sizeof *all);
        if (!all) _exit(5);
        if (object->mNumMeshes > 0) memcpy(all, object->mMeshes, object->mNumMeshes * sizeof *all);
        memcpy(all + object->mNumMeshes, piece->mMeshes, piece->mNumMeshes * sizeof *all);
        object->mMeshes = all; /* nothing of the scene is freed */
        object->mNumMeshes += piece->mNumMeshes;
        piece->mNumMeshes = 0;
    }
    free(sorted);
}

/* Depth first, children in the file's order, so that parts are numbered as the file lists them. False where a matrix is
 * none of a place. */
static bool put_nodes(sink *s, const struct aiNode *top, const double root[12], const package_objects *objects) {
    size_t capacity = 1024, waiting = 0;
    waiting_node *stack = malloc(capacity * sizeof *stack);
    if (!stack) _exit(5);
    stack[waiting++] = (waiting_node){top, IMPORT_NONE};
    bool right = true;
    for (uint32_t number = 0; waiting > 0; number++) {
        waiting_node next = stack[--waiting];
        right &= put_node(s, next.node, next.parent, root, objects);
        if (waiting + next.node->mNumChildren > capacity) {
            capacity = 2 * (waiting + next.node->mNumChildren);
            stack = realloc(stack, capacity * sizeof *stack);
            if (!stack) _exit(5);
        }
        for (unsigned i = next.node->mNumChildren; i-- > 0;)
            stack[waiting++] = (waiting_node){next.node->mChildren[i], number};
    }
    free(stack);
    return right;
}

/* --- the whole ----------------------------------------------------------------------------------------------- */

static void put_scene_notes(sink *s, const struct aiScene *scene) {
    uint32_t skinned = 0, morphed = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        skinned += scene->mMeshes[i]->mNumBones > 0;
        morphed += scene->mMeshes[i]->mNumAnimMeshes > 0;
    }
    char line[160];
    if (scene->mNumAnimations > 0)
        sink_text(s, IMPORT_NOTE, "animations are not played: parts stand where the file puts them");
    if (skinned > 0) {
        snprintf(line, sizeof line, "%u skinned meshes are taken in their rest pose", skinned);
        sink_text(s, IMPORT_NOTE, line);
    }
    if (morphed > 0) {
        snprintf(line, sizeof line, "%u meshes with morph targets are taken without them", morphed);
        sink_text(s, IMPORT_NOTE, line);
    }
    if (scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE) sink_text(s, IMPORT_NOTE, "the importer calls the scene incomplete");
}

static _Noreturn void refuse(sink *s, const sayings *said, const char *why) {
    put_sayings(s, said);
    sink_refuse(s, why && *why ? why : "the importer does not say why");
}

/* Assimp's reader of OBJ fills 16 MB twice before it reads a byte, which is most of the time that a small file takes.
 * In large pages that is soon done: blocks of up to 20 MB shall come from the heap, whose next 20 MB have such pages.
 */
static void ask_for_large_pages(void) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    enum { ROOM = 20 << 20, PAGE = 4096 };
    mallopt(M_MMAP_THRESHOLD, ROOM + PAGE);
    mallopt(M_TRIM_THRESHOLD, 2 * ROOM); /* free room stays in the heap */
    char *room = malloc(ROOM);
    if (room) madvise(room + (PAGE - (uintptr_t)room % PAGE), ROOM - PAGE, MADV_HUGEPAGE);
    free(room);
#endif
}

int import_child(const char *path, int fd) {
    static sink out; /* this process has one task and one thread */
    static sayings said;
    static opened_files opened;
    out.fd = fd;
    opened.model = path;
    uint64_t magic = IMPORT_MAGIC;
    sink_put(&out, &magic, sizeof magic);
    ask_for_large_pages();

    const char *refused = model_text_refused(path);
    if (!refused) refused = whole_harmful(path);
    if (refused) refuse(&out, &said, refused);
    struct aiLogStream log = {hear, (char *)(void *)&said};
    aiAttachLogStream(&log);
    struct aiFileIO files = {file_open, file_close, (char *)(void *)&opened};
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_IFC_SKIP_SPACE_REPRESENTATIONS, 0);
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(path, 0, &files, settings);
    aiReleasePropertyStore(settings);
    if (!scene) {
        const char *why = source_unreadable(path);
        if (!why) why = whole_unreadable(path);
        if (!why) why = unread_refused(path, NULL);
        refuse(&out, &said, why ? why : aiGetErrorString());
    }
    if (!scene->mRootNode) {
        const char *why = source_unreadable(path);
        refuse(&out, &said, why ? why : "it holds no scene");
    }
    const char *unread = scene->mNumMeshes == 0 ? whole_unreadable(path) : NULL;
    if (unread) refuse(&out, &said, unread);

    face_count *before = calloc(scene->mNumMeshes + 1u, sizeof *before);
    if (!before) return 5;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) before[i] = count_faces(scene->mMeshes[i]);

    double root[12];
    char format[160];
    const sink_facts facts = source_describe(path, scene, said.importer, format, sizeof format, root);
    const char *wrong = whole_refuse(path, format);
    if (!wrong) wrong = unread_refused(path, format);
    if (wrong) refuse(&out, &said, wrong);
    sink_meta(&out, &facts, format);
    sink_odd_unit(&out, source_odd_unit());
    for (unsigned i = 0; i < scene->mNumMeshes; i++) put_mesh(&out, scene->mMeshes[i], &before[i]);
    free(before);
    if (strstr(format, "Wavefront")) join_pieces(scene->mRootNode);
    package_objects objects = {0};
    if (strstr(format, "3mf")) package_read(path, &objects);
    if (!put_nodes(&out, scene->mRootNode, root, &objects))
        refuse(&out, &said, "the last row of a matrix is not 0 0 0 1");
    put_opened(&out, &opened);
    put_scene_notes(&out, scene);
    put_sayings(&out, &said);
    unread_send(&out, path, format);
    package_send_missing(&out, &objects);
    const char *doubt = whole_doubt(path, format);
    if (doubt && strncmp(doubt, NOTE_WARNING, strlen(NOTE_WARNING)) == 0)
        sink_text(&out, IMPORT_NOTE, doubt);
    else if (doubt)
        sink_left_out(&out, IMPORT_PARTLY, "", "file", "", doubt);
    for (uint32_t i = 0; i < said.count; i++) unread_send_warning(&out, said.list[i].text);
    sink_record(&out, IMPORT_END, 0);
    sink_flush(&out);
    return 0; /* the process ends: freeing the scene would only take time */
}
