/* docs/theory/article-errata.md as HTML: its tables, a row each of which may get a demonstration by its name. */

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
/** The few marks that the file uses: code, emphasis, links (of which only the words are kept), \| in a table. */
const inline = (text: string) => escape(text.replace(/\\\|/g, '|'))
  .replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>').replace(/(^|[\s(])\*([^*]+)\*/g, '$1<em>$2</em>')
  .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
/** A table's cells: bars within code and escaped ones are no borders. */
const cells = (line: string) => line.trim().slice(1, -1).split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/).map((cell) => cell.trim());

/** Every article's table: a heading, then a row each with the id `article-number`, such as gomez-4. */
export function articles(markdown: string): string {
  let html = '';
  for (const section of markdown.split(/^## /m).slice(1)) {
    const lines = section.split('\n'), title = lines[0]!;
    const head = lines.findIndex((line) => /^\| # \|/.test(line));
    if (head < 0) continue;
    const prefix = /`(\w+)_…`/.exec(lines[head]!)![1]!;
    html += `<section class="article" aria-labelledby="${prefix}"><h2 id="${prefix}">${inline(title.replace(/ \[\w+\]$/, ''))}</h2>\n`;
    for (const line of lines.slice(head + 2)) {
      if (!line.startsWith('|')) break;
      const [number, text, shows, right] = cells(line) as [string, string, string, string];
      const id = `${prefix}-${number.replace('–', '-')}`;
      html += `<article class="row" id="${id}"><h3><a href="#${id}">${number}</a></h3><div class="claim"><p class="text">${inline(text)}</p>
<dl><dt>shows at</dt><dd>${inline(shows)}</dd><dt>right</dt><dd>${inline(right)}</dd></dl></div><div class="demo" data-row="${id}"></div></article>\n`;
    }
    html += '</section>\n';
  }
  return html;
}
