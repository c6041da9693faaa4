/** TypeScript as HTML, with its comments, strings, numbers and words marked: enough for what is shown here. */
export function highlight(code: string): string {
  const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const token = /(\/\/[^\n]*|\/\*[^]*?\*\/)|('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\b(\d[\d.e_-]*)\b|\b(import|from|export|type|interface|function|const|let|return|if|else|for|of|in|new|extends|as|true|false|null|undefined|number|string|boolean|readonly)\b|([A-Za-z_]\w*)(?=\()/g;
  const kinds = ['comment', 'string', 'number', 'word', 'call'];
  let html = '', at = 0;
  for (const match of code.trimEnd().matchAll(token)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    html += escape(code.slice(at, match.index)) + `<span class="${kinds[kind]}">${escape(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escape(code.slice(at).trimEnd());
}
