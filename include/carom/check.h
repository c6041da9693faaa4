/// carom/check.h: many parts: which of them cross, lie in one another, touch, or come nearer than a clearance.
///
///     cm_check_part parts[2] = {{.shape = cm_make_mesh(shaft), .name = "engine/shaft"},
///                               {.shape = cm_make_mesh(bearing), .name = "engine/bearing"}};
///     parts[0].pose = parts[1].pose = cm_pose_identity();
///     cm_check_desc desc = {.parts = parts, .part_count = 2, .clearance = CM_REAL(0.0003)};
///     cm_check_result found;
///     if (cm_check_parts(&desc, NULL, &found, &error) == CM_OK) {
///         for (size_t i = 0; i < found.count; i++)
///             printf("%s %s %s\n", cm_finding_text(&found.findings[i]), parts[found.findings[i].part_a].name, …);
///         cm_check_result_destroy(&found, NULL);
///     }
///
/// Parts go in, findings come out: no file is read, no process or thread is started. The same parts give the same
/// findings in the same order, whatever the tasks. A lattice of tiles or the poses of a robot are so many calls.
///
/// What chooses parts is a text, a selector: "engine/bolt*", "class=IfcWall* & storey=EG". See cm_check_selects.
#ifndef CAROM_CHECK_H
#define CAROM_CHECK_H

#include "pair.h"

CM_EXTERN_BEGIN

/* --- parts --------------------------------------------------------------------------------------------------- */

/// What a file says of a part: "class" "IfcWall", "storey" "EG", "Pset_WallCommon.IsExternal" "TRUE". One without a key
/// or a value, NULL, is chosen by nothing.
typedef struct cm_check_property {
    const char *key, *value;
} cm_check_property;

/// One part. Its mesh, its texts and its properties are borrowed.
typedef struct cm_check_part {
    cm_shape shape;   /* a mesh; a solid one has an inside */
    cm_pose pose;     /* */
    const char *name; /* its path, "engine/crank/pin"; NULL = "" */
    const char *file; /* where it comes from; NULL = nowhere */
    const char *id;   /* its own, that survives a new export, such as a GlobalId; NULL = none */
    /* What the coordinates of its points are rounded to in its own axes, as a share of the largest: FLT_EPSILON,
     * DBL_EPSILON. Its pose is then as exact as cm_real. 0: not known, and all coordinates, where the part stands, are
     * taken to be rounded to single precision. */
    double rounding;
    double deviation; /* how far its triangles may lie from the true surface, as chords do from an arc; 0: not at all */
    const cm_check_property *properties;
    uint32_t property_count;
    uint64_t node, parent; /* where it stands in a tree: a number of its own there, and that of what it hangs from; 0 =
                              in none, from nothing. Several parts of one node may have its number. */
} cm_check_part;

/// Does the pattern match the path? It does where its components match as many consecutive components of the path:
/// "bolt*" matches "engine/bolt_3" and "engine/bolts/m6". In a component `*` is any text, `?` any character, `[a-z]` a
/// range, and `\` takes the next character as it is; a component `**` is any number of components. A leading `/` ties
/// the pattern to the start of the path. Upper and lower case differ. An empty pattern matches nothing, as does NULL.
/// Cost: at most the product of their lengths.
CM_API bool cm_check_matches(const char *pattern, const char *path);
/// Does the selector choose the part? A selector is one or several conditions: joined by " & " all of them hold, and
/// of several of those, joined by " | ", one. A condition that begins with `!` holds where what follows it does not.
/// A condition is
///   - `class=IfcWall*`, `storey=EG`, `Pset_WallCommon.IsExternal=TRUE`: the part has a property of that key, and its
///     value matches the pattern, in which `*` is any text, slashes too;
///   - `id=`, `file=`, `leaf=`, `path=`: likewise the part's `id`; its `file`, or what follows its last slash; the last
///     component of its name; its name, as cm_check_matches has it;
///   - a text without such a key: that is `path=`, or is the part's file, or what follows its last slash.
/// A key ends at the first `=`; what has a slash before that has no key. `\` takes the next character as it is, where
/// it would mean something else: `a\=b`, `M \& E`. A selector that is, as a whole, the part's file chooses it, whatever
/// is in it. An empty selector or condition chooses nothing, as does NULL. Cost: a match of each condition.
CM_API bool cm_check_selects(const char *selector, const cm_check_part *part);

/* --- findings ------------------------------------------------------------------------------------------------ */

/// What a finding is called, the gravest first: name, text.
#define CM_FINDING_LIST(X)                                                                                             \
    X(CROSSING, "crossing")                                                                                            \
    X(INSIDE, "inside") /* one in the other */                                                                         \
    X(IDENTICAL, "identical")                                                                                          \
    X(TOUCHING, "touching")                                                                                            \
    X(CLEARANCE, "clearance") /* apart, but closer than the clearance */

typedef enum cm_finding_kind {
#define CM_FINDING_ENUM(name, text) CM_FINDING_##name,
    CM_FINDING_LIST(CM_FINDING_ENUM)
#undef CM_FINDING_ENUM
        CM_FINDING_KIND_COUNT
} cm_finding_kind;

/// "crossing", "inside" …; "unknown" for a number that is no kind. Never NULL.
CM_API const char *cm_finding_kind_text(cm_finding_kind kind);

/// Two parts that are not simply apart.
/// A part's identity is a hash of its id where it has one and no other part has the same, else of its name. A finding's
/// is a hash of both, whichever is A, and of the name of its test, where that has one. So a finding has the same in the
/// next export of a model, whatever the order of its parts, and also where they are renamed, if they have ids.
typedef struct cm_finding {
    uint32_t part_a, part_b; /* part_a < part_b, but for cm_check_nearest */
    uint32_t test;           /* of cm_check_desc.tests; 0 where there are none */
    uint64_t id, id_a, id_b; /* identities: its own, and those of its parts */
    cm_finding_kind kind;
    cm_relation_result result;
    uint32_t allowed;        /* the first exception that accepts it, or CM_NONE */
    bool fails;              /* by its test, else by cm_check_desc.fail_on; what is allowed never does */
    cm_aabb outline_box;     /* around the crossings of triangles; min > max where there are none */
    cm_real crossing_extent; /* that box's diagonal; 0 where there are none */
    cm_real crossing_length; /* of the segments in which triangles cross, together; those within one plane are none */
    /* What both have in common, where cm_check_desc.volumes asks for it and both are solid. Overlapping shells of one
     * part count once: what they may have added is in the error. */
    cm_interference common;
    bool common_known;
    const cm_vec3 *outline; /* two points for each of them, in the order of cm_mesh_crossings; NULL unless asked for */
    size_t outline_segments;
} cm_finding;

/// "crossing", "a_inside_b", "b_inside_a", "identical", "touching", "clearance".
CM_API const char *cm_finding_text(const cm_finding *finding);

/* --- the check ----------------------------------------------------------------------------------------------- */

/// From which finding on the check fails; each includes the ones before.
typedef enum cm_check_fail_on {
    CM_FAIL_DEFAULT,  /* CM_FAIL_CLEARANCE where a clearance is asked for, else CM_FAIL_CROSSING */
    CM_FAIL_NEVER,    /* */
    CM_FAIL_CROSSING, /* crossing, inside, identical */
    CM_FAIL_TOUCHING, /* */
    CM_FAIL_CLEARANCE /* */
} cm_check_fail_on;

/// Findings that are accepted: those between a part that one selector chooses and a part that the other chooses, and
/// with that id, of the test with that name, and no deeper. What is not given does not matter; selectors, an id or a
/// test must be.
typedef struct cm_check_exception {
    const char *first, *second; /* both or neither */
    uint64_t id;                /* cm_finding.id; 0 = not given */
    const char *test;           /* NULL = not given */
    cm_real depth;              /* what overlaps by more is not accepted; 0 = not given */
} cm_check_exception;

/// What a test finds: name, text.
#define CM_TEST_LIST(X)                                                                                                \
    X(ANY, "any")             /* everything; cm_check_desc.fail_on says what fails */                                  \
    X(HARD, "hard")           /* crossing, inside, identical */                                                        \
    X(TOUCHING, "touching")   /* and touching */                                                                       \
    X(CLEARANCE, "clearance") /* and apart, but closer than the clearance */                                           \
    X(DUPLICATE, "duplicate") /* identical alone */

typedef enum cm_check_test_kind {
#define CM_TEST_ENUM(name, text) CM_TEST_##name,
    CM_TEST_LIST(CM_TEST_ENUM)
#undef CM_TEST_ENUM
        CM_TEST_KIND_COUNT
} cm_check_test_kind;

/// How grave the findings of a test are: name, text. Only errors make a check fail.
#define CM_SEVERITY_LIST(X) X(ERROR, "error") X(WARNING, "warning") X(NOTE, "note")

typedef enum cm_check_severity {
#define CM_SEVERITY_ENUM(name, text) CM_SEVERITY_##name,
    CM_SEVERITY_LIST(CM_SEVERITY_ENUM)
#undef CM_SEVERITY_ENUM
        CM_SEVERITY_COUNT
} cm_check_severity;

/// "any", "hard" …; "unknown" for a number that is none. Never NULL.
CM_API const char *cm_check_test_kind_text(cm_check_test_kind kind);
/// "error" …; "unknown" for a number that is none. Never NULL.
CM_API const char *cm_check_severity_text(cm_check_severity severity);

/// One test of several, of pairs of a part of A and a part of B. A pair that two tests ask for is found by both.
typedef struct cm_check_test {
    const char *name;     /* of its own; NULL = "" */
    const char *a, *b;    /* selectors; NULL = all parts */
    const uint8_t *sides; /* in place of both, where not NULL: as cm_check_desc.sides */
    cm_check_test_kind kind;
    cm_real tolerance; /* 0 = that of the description */
    cm_real clearance; /* likewise; where the kind is ANY or CLEARANCE, which needs one */
    cm_check_severity severity;
} cm_check_test;

/// What pairs of a part that one selector chooses and a part that the other chooses may overlap, in every test: of a
/// press fit, say.
typedef struct cm_check_pair_tolerance {
    const char *first, *second;
    const uint8_t *sides; /* in place of both, where not NULL: as cm_check_desc.sides */
    cm_real tolerance;    /* above 0 */
} cm_check_pair_tolerance;

/// What to check; zero fields mean the default.
typedef struct cm_check_desc {
    const cm_check_part *parts;
    uint32_t part_count;
    /* NULL: every part against every other. Else one a part: with bit CM_CHECK_A it is one of A, with CM_CHECK_B one of
     * B, with both it is of both, with none of neither; pairs of one of A and one of B are checked, each once. */
    const uint8_t *sides;
    /* None: one test, of kind ANY and of all fields beside these. Else `sides` must be NULL. */
    const cm_check_test *tests;
    uint32_t test_count;
    const char *left_out; /* a selector: parts that are in no pair; NULL = none */
    uint32_t skip;        /* pairs that are not checked: CM_CHECK_SKIP_… */
    cm_real tolerance;    /* of all pairs: what overlaps by no more than this touches; 0 = cm_check_tolerance of each */
    cm_real clearance;    /* pairs that are apart, but less than this, are findings; 0 = none is asked for */
    const cm_check_pair_tolerance *tolerances; /* before all others; of several the first that is about a pair */
    uint32_t tolerance_count;
    const cm_check_exception *exceptions;
    uint32_t exception_count;
    cm_check_fail_on fail_on; /* of tests of kind ANY; CM_FAIL_NEVER: of all */
    bool outlines;            /* keep the segments in which findings cross */
    bool volumes;             /* ask for what the parts of findings have in common: cm_finding.common */
    const cm_tasks *tasks;    /* NULL = serial */
    /* NULL, or called after each of `total` pairs that come near each other, `done` counting them. It is called from
     * the worker that did the pair, and may be by several at once. Where it returns false the check ends. */
    bool (*progress)(void *user, size_t done, size_t total);
    void *user;
} cm_check_desc;

#define CM_CHECK_A            1
#define CM_CHECK_B            2
#define CM_CHECK_SKIP_PRODUCT 1 /* of parts of one file with the same `id` and, where both have one, `node` */
#define CM_CHECK_SKIP_PARENT  2 /* of a part and one that hangs from it: `node` and `parent` */

/// What came of a test.
typedef struct cm_check_test_result {
    uint32_t parts_a, parts_b; /* that its selectors choose */
    uint64_t pairs;            /* that it asks for */
    size_t findings, allowed, failing;
} cm_check_test_result;

/// What was found. One block of findings, one of outlines, one of counts, one of tests.
typedef struct cm_check_result {
    /* By kind, the gravest first; the deepest, or nearest, first; two surfaces that cross have no depth: they come
     * after those that have one, the longest crossing first; then by part_a, part_b, test. */
    cm_finding *findings;
    size_t count;
    uint32_t *uses; /* of each exception: so many findings match it */
    uint32_t exception_count;
    cm_check_test_result *tests; /* one a test; one where there are none */
    uint32_t test_count;
    cm_vec3 *outlines;                /* of all findings */
    size_t outline_points;            /* */
    uint64_t pairs_total, pairs_near; /* that are asked for, by each test; those whose boxes come near each other */
    uint64_t skipped_product, skipped_parent; /* near pairs that are not checked, by cm_check_desc.skip */
    uint32_t parts_left_out;                  /* by cm_check_desc.left_out */
    size_t kinds[CM_FINDING_KIND_COUNT];      /* findings of each, without those that are allowed */
    size_t allowed, failing;                  /* findings */
} cm_check_result;

/// Sets `bit` in `sides` of all parts that the selector chooses.
/// @param sides  one a part; the other bits stay.
/// @return how many it chose. Cost: a match of each part.
CM_API uint32_t cm_check_choose(const cm_check_part *parts, uint32_t count, const char *selector, uint8_t bit,
                                uint8_t *sides);

/// The tolerance of a pair where none is given: a millionth of the size of both together, and at least what their
/// coordinates are rounded to, and the deviations of both. Where the rounding of either is not known, single precision
/// is taken for it; and where there is no deviation either, 0: cm_mesh_relation has a default for that.
CM_API cm_real cm_check_tolerance(const cm_check_part *a, const cm_check_part *b);

/// Finds all pairs of parts that cross, lie in one another, are identical, touch, or are nearer than the clearance.
/// Near pairs come of the boxes of the parts; each is decided by cm_mesh_relation.
/// @param mem    NULL = malloc. Also used for scratch memory; only called on the caller's thread.
/// @param out    untouched on failure. Free with cm_check_result_destroy and the same allocator.
/// @param error  which field was wrong, and the part or exception; may be NULL; untouched when CM_OK.
/// @return CM_OK; CM_INVALID (NULL; a tolerance, clearance, depth, rounding or deviation that is negative, NaN or
/// infinite; a test of clearances without one, or whose kind or severity is none; an exception without selectors, id
/// and test, or with one selector; a tolerance without two selectors; tests and sides), what cm_shape_check says of a
/// shape, CM_UNSUPPORTED (a shape that is no mesh), CM_NOT_FINITE (a pose), CM_LIMIT (more than 16,777,215 parts, 2^31
/// near pairs of all tests; the field "progress": the caller ended it), CM_NO_MEMORY. Cost: that of cm_broad_pairs, and
/// of cm_mesh_relation for each near pair and each tolerance that tests have for it; with `volumes` that of
/// cm_mesh_interference for each finding, and once for each mesh that is in one.
CM_API cm_status cm_check_parts(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *out,
                                cm_error *error);
/// Frees what a result holds, and zeroes it. All zero is fine, and so is NULL.
CM_API void cm_check_result_destroy(cm_check_result *result, const cm_allocator *mem);

/* --- tiles: a check in pieces ------------------------------------------------------------------------------- */
/* A check may be cut into tiles, which any number of threads, processes or machines do in any order:
 *   1. cm_check_extent_of some parts, joined over all; cm_check_margin of that;
 *   2. cm_check_cut gives the tiles: boxes without gap or overlap;
 *   3. a tile's call gets the parts whose box (cm_shape_bounds), grown by the margin, overlaps the tile's;
 *   4. cm_check_merge makes of the tiles' findings what cm_check_parts gives for all parts, bit for bit.
 * docs/guide/scale.md shows it. */

/// How far parts reach: what every tile has to know of all parts of the check.
typedef struct cm_check_extent {
    cm_aabb box;     /* around them where they stand; min > max where there are none */
    double reach;    /* the largest coordinate of their points, each in its own axes */
    double rounding; /* the largest of theirs */
    double deviation;
} cm_check_extent;

/// The extent of parts, which must be valid as cm_check_parts takes them.
CM_API void cm_check_extent_of(const cm_check_part *parts, uint32_t count, cm_check_extent *out);
/// Makes `all` reach as far as `more` does too.
CM_API void cm_check_extent_join(cm_check_extent *all, const cm_check_extent *more);
/// By how much the box of each part is grown, so that the boxes of all pairs overlap that may be findings. Of the
/// description it reads tolerances and clearances, also those of tests.
CM_API cm_real cm_check_margin(const cm_check_desc *desc, const cm_check_extent *extent);

/// Some of the pairs of a check: those whose place is in the box, and of these one share of several. The place of a
/// pair is the low corner of what its two grown boxes have in common.
typedef struct cm_check_tile {
    cm_aabb box;             /* min <= place < max along each axis */
    uint32_t share, shares;  /* of the pairs there, by a hash of the numbers of their parts; 0 of 0 = all */
    cm_real margin;          /* cm_check_margin of the whole check */
    const uint32_t *numbers; /* of the call's parts in the whole check, ascending, one a part; NULL = they are all */
} cm_check_tile;

/// Cuts space into tiles of about equal cost.
/// @param places  where cost arises, such as the low corners of the parts' boxes, or the places of pairs or of a sample
/// of them; NULL where count is 0.
/// @param costs   how much, one a place, >= 0; NULL = equal.
/// @param out     tile_count tiles. Each place of space is in one of them; tiles that share a place that cannot be cut,
/// as the costs there are all at one point, have the same box and each a share. They have no margin and no numbers.
/// @return CM_OK, CM_INVALID (NULL, no tile, a cost that is negative or NaN), CM_NOT_FINITE (a place), CM_NO_MEMORY.
/// Cost: a sort along each axis for each level of a tree of tiles.
CM_API cm_status cm_check_cut(const cm_vec3 *places, const double *costs, uint32_t count, uint32_t tile_count,
                              const cm_allocator *mem, cm_check_tile *out);

/// Does the tile have this pair? `a` and `b` are the parts' boxes grown by the margin, which overlap, the numbers those
/// in the whole check, in either order. Of the tiles of one cm_check_cut exactly one has it.
CM_API bool cm_check_owns(const cm_check_tile *tile, const cm_aabb *a, const cm_aabb *b, uint32_t number_a,
                          uint32_t number_b);

/// The findings of one tile, in their order. The description has the parts that the tile needs, or more, with their
/// sides, or with what the selectors of tests and tolerances read; its exceptions and `fail_on` are not looked at. Of
/// the result, findings have their parts (by their numbers in the whole check), test, kind, relation and outline;
/// pairs_near and what was skipped are those of the tile; the rest is 0 and comes with cm_check_merge.
/// @return as cm_check_parts; CM_INVALID also for a margin that is negative or NaN and for numbers that do not ascend.
/// Cost: that of cm_check_parts for these parts; a relation for each near pair that is the tile's.
CM_API cm_status cm_check_tile_parts(const cm_check_desc *desc, const cm_check_tile *tile, const cm_allocator *mem,
                                     cm_check_result *out, cm_error *error);

/// The findings of all tiles as those of one check, whatever the order of the tiles.
/// @param desc   all parts of the check. Not read are their shapes, poses and places in a tree; and of the rest the
/// tolerances and `skip`.
/// @param tiles  what cm_check_tile_parts gave, each tile once. They stay the caller's.
/// @param out    as cm_check_parts gives it for all parts; untouched on failure.
/// @return CM_OK; CM_INVALID (NULL; an exception without a selector; "tiles": a pair that two of them found),
/// CM_OUT_OF_RANGE ("tiles": a part that is not below part_count; a test or kind that is none), CM_LIMIT (2^31 near
/// pairs), CM_NO_MEMORY. Cost: sorting.
CM_API cm_status cm_check_merge(const cm_check_desc *desc, const cm_check_result *tiles, uint32_t count,
                                const cm_allocator *mem, cm_check_result *out, cm_error *error);

/* --- findings together --------------------------------------------------------------------------------------- */

/// Which findings were there before? `before` and `now` are of two checks, say of a model and of its next export. The
/// same finding is, one for one and in this order:
///   - one with the same id;
///   - of those that are left, one in the same place with one part of the same identity: the other part was renamed, or
///     split. In the same place are findings whose boxes overlap, each around its points and outline and as much
///     larger as the parts overlap or are apart;
///   - one whose points and distance are the same to a hundredth of those boxes: both parts were renamed.
/// Findings of different gravity are the same by their id alone: crossing, inside and identical are of one, touching
/// and clearance of two others. Of several the nearest is taken, then the first.
/// @param mem        NULL = malloc: scratch memory.
/// @param before_of  one for each of `now`: its number in `before`, or CM_NONE where it is new. Untouched on failure.
/// @return CM_OK; CM_INVALID (NULL; an outline_box with min > max in y or z alone), CM_NOT_FINITE (a point, an
/// outline_box), CM_LIMIT (more than 16,777,215 of either), CM_NO_MEMORY. Cost: sorting, and a broad phase of what is
/// left.
CM_API cm_status cm_check_compare(const cm_finding *before, uint32_t before_count, const cm_finding *now,
                                  uint32_t now_count, const cm_allocator *mem, uint32_t *before_of);

/// So many findings that have something in common: members[first] and the next ones of cm_check_groups.
typedef struct cm_check_group {
    uint32_t key_a, key_b; /* key_a <= key_b; or a part, and CM_NONE */
    uint32_t first, count;
} cm_check_group;

typedef struct cm_check_groups {
    cm_check_group *groups; /* those with the most findings first, then by key_a, by key_b */
    uint32_t count;
    uint32_t *members; /* numbers of findings; those of a group in their order */
    uint32_t member_count;
} cm_check_groups;

/// Gathers findings that have something in common, so that many read as few. Each that is not allowed comes into one
/// group.
/// @param keys  one a part, such as the numbers of their classes or files: a group has all findings between parts with
/// the same two keys. NULL: one part against many. The part with the most findings takes them all, then the next with
/// the most of what is left, and so on; of equal ones the first part.
/// @param mem   NULL = malloc. Also used for scratch memory.
/// @param out   untouched on failure. Free with cm_check_groups_destroy and the same allocator.
/// @return CM_OK, CM_INVALID (NULL), CM_OUT_OF_RANGE (a part of a finding that is not below part_count), CM_NO_MEMORY.
/// Cost: sorting, and a heap of the parts.
CM_API cm_status cm_check_group_findings(const cm_finding *findings, uint32_t count, const uint32_t *keys,
                                         uint32_t part_count, const cm_allocator *mem, cm_check_groups *out);
/// Frees what groups hold, and zeroes them. All zero is fine, and so is NULL.
CM_API void cm_check_groups_destroy(cm_check_groups *groups, const cm_allocator *mem);

/// The nearest part of A and part of B, or the two that are deepest in one another where some overlap; of equal ones
/// those whose boxes are nearest, then the first. Of the description it reads parts, sides and tolerance. Where `sides`
/// is NULL all parts are of both; no part is compared with itself.
/// @param out  part_a is of A and part_b of B, and so are the points. It has no identities. Its kind is
/// CM_FINDING_CLEARANCE where they are apart. Both parts are CM_NONE where there is no such pair. Untouched on failure.
/// @return as cm_check_parts. Cost: a list of all pairs; cm_mesh_relation for those whose boxes are not farther apart
/// than the answer.
CM_API cm_status cm_check_nearest(const cm_check_desc *desc, const cm_allocator *mem, cm_finding *out, cm_error *error);

CM_EXTERN_END
#endif
