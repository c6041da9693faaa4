/* Memory for the JSON of a file, in a process that reads one file and ends. */
#ifndef CLI_JSON_POOL_H
#define CLI_JSON_POOL_H

/* From here on jansson takes its memory from blocks of its own. A process that was forked would else take it from the
 * pages that it has in common with its parent, each of which the system then copies: of a hundred thousand nodes, one
 * file of four hundred at a time, that was a sixth of the time of the whole check. To be called before any JSON is
 * read, and in a process that ends soon: blocks are never given back. */
void json_pool_start(void);

#endif
