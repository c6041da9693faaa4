/* The form of selectors (rules.md): what a person wrote that is none. */
#ifndef CLI_SELECTOR_H
#define CLI_SELECTOR_H

/* What is wrong with a selector, to be said behind it ("has ..."); NULL where nothing is. What is joined or grouped in
 * another way than selectors are would be taken for the name of a part: with a `!` before it such a text chooses every
 * part, and no one is the wiser. */
const char *selector_fault(const char *text);

#endif
