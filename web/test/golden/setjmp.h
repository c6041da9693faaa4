/* test/support/support.h includes it for cmocka; nothing here jumps. */
