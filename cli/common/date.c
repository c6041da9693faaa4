/* Dates: see date.h. */
#include "common/date.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Do the characters stand as in the pattern, where '0' is any digit? */
static bool is_like(const char *text, const char *pattern) {
    for (; *pattern; text++, pattern++)
        if (*pattern == '0' ? !(*text >= '0' && *text <= '9') : *text != *pattern) return false;
    return true;
}

static int two_digits(const char *at) { return 10 * (at[0] - '0') + at[1] - '0'; }

bool date_is_day(const char *text) {
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!is_like(text, "0000-00-00")) return false;
    const int month = two_digits(text + 5), day = two_digits(text + 8);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

static int take_option(const char *option, char out[DATE_SIZE]) {
    const size_t length = strlen(option);
    const bool day = date_is_day(option) && length == 10;
    const bool time = date_is_day(option) && length == 20 && is_like(option + 10, "T00:00:00Z") &&
                      two_digits(option + 11) < 24 && two_digits(option + 14) < 60 && two_digits(option + 17) < 60;
    if (!day && !time)
        return complain(EXIT_INPUT, "--date: '%s' is no date such as 2025-03-14 or 2025-03-14T09:00:00Z", option);
    snprintf(out, DATE_SIZE, "%.10s%.10s", option, day ? "T00:00:00Z" : option + 10);
    return 0;
}

int date_to_write(const char *option, char out[DATE_SIZE]) {
    if (option) return take_option(option, out);
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t when = time(NULL);
    if (epoch && *epoch) {
        const size_t length = strlen(epoch);
        if (strspn(epoch, "0123456789") != length || length > 11) /* to the year 5138 */
            return complain(EXIT_INPUT, "SOURCE_DATE_EPOCH: '%s' is no number of seconds", epoch);
        when = (time_t)strtoll(epoch, NULL, 10);
    }
    struct tm parts;
    if (!gmtime_r(&when, &parts) || strftime(out, DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts) != DATE_SIZE - 1)
        return complain(EXIT_INPUT, "SOURCE_DATE_EPOCH: '%s' is no date", epoch ? epoch : "");
    return 0;
}
