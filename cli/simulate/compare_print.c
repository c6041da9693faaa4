/* What the comparison of broad phases came to, as tables and for the page: see compare_broad.h. */
#include "simulate/compare_broad.h"

#include "page/page.h"

#include <math.h>
#include <string.h>

static const char *side_title(const broad_summary *s, int side, char *buffer, size_t size) {
    const char *name = compare_side_name(side);
    snprintf(buffer, size, side == CM_BROAD_AUTO ? "%s (%s)" : "%s", name, cm_broad_kind_text(s->sides[side].ran));
    return buffer;
}

static void print_funnel(const broad_summary *list, int count) {
    printf("%10s %16s %14s %13s %15s   (a step)\n", "objects", "all pairs", "boxes overlap", "shapes touch",
           "contact points");
    for (int i = 0; i < count; i++)
        printf("%10u %16.1f %14.1f %13.1f %15.1f\n", list[i].objects, list[i].all, list[i].boxes, list[i].touch,
               list[i].points);
}

static void print_one(const compare_plan *plan, const broad_summary *s) {
    printf("%-18s %12s %14s %12s %10s", "broad phase", "pairs/step", "tests/step", "bytes", "ms/step");
    for (int query = 0; query < COMPARE_QUERIES; query++)
        if (plan->queries[query]) printf(" %10s", compare_query_name(query));
    puts("");
    for (int i = 0; i < COMPARE_SIDES; i++) {
        char title[64];
        if (!compare_side_is_on(plan, i)) continue;
        printf("%-18s %12.1f %14.1f %12zu %10.3f", side_title(s, i, title, sizeof title), s->boxes, s->sides[i].tests,
               s->sides[i].bytes, s->sides[i].ms);
        for (int query = 0; query < COMPARE_QUERIES; query++)
            if (plan->queries[query]) printf(" %10.3g", s->sides[i].us[query]);
        puts("");
    }
    printf("(the time is the median of the steps: new boxes, update, list of pairs; %u objects)\n", s->objects);
    bool asked = false;
    for (int query = 0; query < COMPARE_QUERIES; query++) asked |= plan->queries[query] > 0;
    if (asked) puts("(queries: microseconds each, in the median step)");
}

/* x of the law N^x through the first and the last number of objects; NAN where there is none. */
static double growth_of(const broad_summary *list, int count, double first, double last) {
    const double objects = log((double)list[count - 1].objects / list[0].objects);
    return first > 0 && last > 0 && objects > 0 ? log(last / first) / objects : (double)NAN;
}

typedef double (*summary_value)(const broad_summary *s, int side, int query);
static double value_ms(const broad_summary *s, int side, int query) {
    (void)query;
    return s->sides[side].ms;
}
static double value_tests(const broad_summary *s, int side, int query) {
    (void)query;
    return s->sides[side].tests;
}
static double value_us(const broad_summary *s, int side, int query) { return s->sides[side].us[query]; }

static void print_growth(const compare_plan *plan, const broad_summary *list, int count, const char *title,
                         summary_value value, int query) {
    printf("\n%-18s", title);
    for (int k = 0; k < count; k++) printf(" %12u", list[k].objects);
    printf("   grows as\n");
    for (int i = 0; i < COMPARE_SIDES; i++) {
        if (!compare_side_is_on(plan, i)) continue;
        printf("%-18s", compare_side_name(i));
        for (int k = 0; k < count; k++) printf(" %12.4g", value(&list[k], i, query));
        double x = growth_of(list, count, value(&list[0], i, query), value(&list[count - 1], i, query));
        if (isnan(x))
            puts("   -");
        else
            printf("   N^%.2f\n", x);
    }
}

void broad_summaries_print(const compare_plan *plan, const broad_summary *list, int count) {
    if (count < 1 || list[0].steps == 0) return;
    print_funnel(list, count);
    if (count == 1) {
        print_one(plan, &list[0]);
        return;
    }
    print_growth(plan, list, count, "ms/step", value_ms, 0);
    print_growth(plan, list, count, "tests/step", value_tests, 0);
    for (int query = 0; query < COMPARE_QUERIES; query++) {
        char title[40];
        if (!plan->queries[query]) continue;
        snprintf(title, sizeof title, "us/query: %s", compare_query_name(query));
        print_growth(plan, list, count, title, value_us, query);
    }
    printf("(the time is the median of the steps: new boxes, update, list of pairs)\n");
}

/* --- for the page ------------------------------------------------------------------------------------------------- */

static json_t *values_of(const broad_summary *list, int count, int side, summary_value value, int query) {
    json_t *out = json_array();
    for (int k = 0; k < count; k++) json_array_append_new(out, page_real(value(&list[k], side, query)));
    return out;
}

json_t *broad_summaries_json(const compare_plan *plan, const broad_summary *list, int count) {
    json_t *out = json_object(), *funnel = json_array(), *sides = json_array();
    for (int k = 0; k < count; k++) {
        const broad_summary *s = &list[k];
        json_t *row = json_object();
        json_object_set_new(row, "objects", json_integer((json_int_t)s->objects));
        json_object_set_new(row, "all", page_real(s->all));
        json_object_set_new(row, "boxes", page_real(s->boxes));
        json_object_set_new(row, "touch", page_real(s->touch));
        json_object_set_new(row, "points", page_real(s->points));
        json_array_append_new(funnel, row);
    }
    for (int i = 0; i < COMPARE_SIDES; i++) {
        if (!compare_side_is_on(plan, i)) continue;
        json_t *side = json_object(), *ran = json_array();
        json_object_set_new(side, "name", page_text(compare_side_name(i)));
        for (int k = 0; k < count; k++) json_array_append_new(ran, page_text(cm_broad_kind_text(list[k].sides[i].ran)));
        json_object_set_new(side, "ran", ran);
        json_object_set_new(side, "ms", values_of(list, count, i, value_ms, 0));
        json_object_set_new(side, "tests", values_of(list, count, i, value_tests, 0));
        for (int query = 0; query < COMPARE_QUERIES; query++)
            if (plan->queries[query])
                json_object_set_new(side, compare_query_name(query), values_of(list, count, i, value_us, query));
        json_array_append_new(sides, side);
    }
    json_object_set_new(out, "funnel", funnel);
    json_object_set_new(out, "kinds", sides);
    return out;
}
