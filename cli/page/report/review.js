/* What a person decided about findings: open, to be fixed, or approved, with a comment. It is kept in the list that
 * `carom check --approved` reads (docs/guide/rules.md), a line an entry:
 *
 *     9f86d081884c7d65; the sleeve is cast in; A. Meyer; 2025-03-14; 20mm     approved
 *     # fix: 2c26b46b68ffc68f; move the duct; A. Meyer; 2025-03-14           a comment to the command
 *     # open: fcde2b2edba56bf4; ask the client; A. Meyer; 2025-03-14
 *
 * Lines that say something else (comments, entries of selectors, of findings that are not here) are kept as they are. */

const DECISIONS = { open: 'Open', fix: 'To fix', approved: 'Approved' };
const ENTRY_ID = /^[0-9a-f]{16}$/;
const DEPTH_TEXT = /^(\d+(?:\.\d+)?)\s*(m|cm|mm|um|in|ft)$/;
const DEPTH_UNITS = { m: 1, cm: 0.01, mm: 0.001, um: 1e-6, in: 0.0254, ft: 0.3048 };

/* "20mm" in metres; 0 where it is no such length. */
function depthOf(text) {
  const [, number, name] = DEPTH_TEXT.exec(text) ?? [];
  return name ? number * DEPTH_UNITS[name] : 0;
}

/* The fields of a line, as cli/check/approved.c cuts it: at each `;` without a backslash before it. */
function splitEntry(line) {
  const fields = [];
  let text = '';
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\' && line[i + 1] === ';') text += line[++i];
    else if (line[i] === ';') {
      fields.push(text.trim());
      text = '';
    } else text += line[i];
  }
  return [...fields, text.trim()];
}

/* One field: a semicolon gets a backslash, what would end the line a blank, and a last backslash a blank behind it, that
 * it is not taken for that of the semicolon which follows. */
function writeField(text) {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return clean.replaceAll(';', '\\;') + (clean.endsWith('\\') ? ' ' : '');
}

class Review {
  constructor() {
    this.entries = new Map(); /* by the id of the finding */
    this.lines = []; /* of the file that was loaded: texts, and ids in the place of their entries */
    this.listed = new Set(); /* what is in the lines */
    this.told = new Set(); /* ids that the list given to the check has approved: here is decided whether they stay so */
    this.unsaved = 0;
  }

  /* What is decided of a finding; null: nothing. */
  of(finding) {
    return this.entries.get(finding.id) || null;
  }

  /* Approved, but deeper than that reaches. */
  exceeds(finding) {
    const entry = this.of(finding),
      most = entry?.status === 'approved' ? depthOf(entry.depth) : 0;
    return most > 0 && -finding.distance > most;
  }

  /* Whether a finding is accepted: here, or by what else the check was given. Then it does not count. */
  accepts(finding) {
    if (this.of(finding)?.status === 'approved' && !this.exceeds(finding)) return true;
    return !!finding.allowed && !(finding.accepted?.what === finding.id && this.told.has(finding.id));
  }

  /* The list that the check was given. */
  start(text, ids) {
    this.load(text, ids);
    for (const [id, entry] of this.entries) if (entry.status === 'approved') this.told.add(id);
  }

  decide(findings, entry) {
    for (const { id } of findings)
      if (ENTRY_ID.test(id)) {
        if (entry) this.entries.set(id, { ...entry });
        else this.entries.delete(id);
      }
    this.unsaved++;
  }

  /* Reads a list; of a finding that it and the page both know the list is right. Returns how many entries are of findings
   * in `ids`, and how many lines are kept unread. */
  load(text, ids) {
    let known = 0,
      kept = 0;
    for (const raw of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
      const line = raw.trim(),
        tagged = /^#\s*(open|fix):\s*(.*)$/.exec(line);
      const [id, comment, author, date, depth = ''] = splitEntry(tagged ? tagged[2] : line);
      if (ENTRY_ID.test(id) && ids.has(id)) {
        this.keep({ id });
        this.entries.set(id, { status: tagged ? tagged[1] : 'approved', comment: comment ?? '', author: author ?? '', date: date ?? '', depth });
        known++;
      } else if (line && this.keep({ text: line })) {
        if (!line.startsWith('#')) kept++;
      }
    }
    return { known, kept };
  }

  /* A line, unless it is there already. */
  keep(line) {
    const key = line.id ?? `\n${line.text}`;
    if (this.listed.has(key)) return false;
    this.listed.add(key);
    this.lines.push(line);
    return true;
  }

  /* The whole list: what was loaded, in its order, then what is new. */
  text() {
    const written = new Set(),
      out = [];
    const put = (id) => {
      const e = this.entries.get(id);
      if (!e || written.has(id)) return;
      written.add(id);
      const fields = [id, writeField(e.comment), writeField(e.author), e.date, ...(e.depth ? [e.depth] : [])].join('; ');
      out.push(e.status === 'approved' ? fields : `# ${e.status}: ${fields}`);
    };
    for (const line of this.lines)
      if (line.id) put(line.id);
      else out.push(line.text);
    for (const id of this.entries.keys()) put(id);
    return out.map((line) => `${line}\n`).join('');
  }
}

const review = new Review();

/* --- the form in the details ---------------------------------------------------------------------------------------- */

let lastAuthor = '';

function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

/* Status and comment of these findings, which `done` is called after. */
function reviewForm(findings, done) {
  const first = review.of(findings[0]),
    same = findings.every((f) => JSON.stringify(review.of(f)) === JSON.stringify(first)),
    accepted = findings.length === 1 && review.accepts(findings[0]) ? findings[0].accepted : null, /* by a rule, say */
    entry = (same && first) || {
      status: accepted ? 'approved' : 'open', comment: accepted?.reason ?? '', author: accepted?.author || lastAuthor, date: '', depth: '',
    };
  const field = (tag, label, value, placeholder = '') => {
    const made = element(tag, '');
    made.value = value;
    made.ariaLabel = label;
    made.placeholder = placeholder;
    made.autocomplete = 'off';
    return made;
  };
  const status = element('select', '');
  for (const [value, label] of Object.entries(DECISIONS)) {
    const option = element('option', '', label);
    option.value = value;
    status.append(option);
  }
  status.value = entry.status;
  status.ariaLabel = 'Status';
  const comment = field('textarea', 'Comment', entry.comment, 'Comment, or the reason why it is approved'),
    author = field('input', 'Author', entry.author || lastAuthor, 'Author'),
    depth = field('input', 'Approved up to this depth', entry.depth, 'up to, 20mm'),
    wrong = element('p', 'wrong');
  comment.rows = 2;
  wrong.role = 'alert';
  wrong.hidden = true;
  status.addEventListener('input', () => (depth.disabled = status.value !== 'approved'));
  depth.disabled = status.value !== 'approved';
  const apply = () => {
    const told = { status: status.value, comment: comment.value.trim(), author: author.value.trim(), date: today(), depth: '' };
    const limit = depth.value.trim().replace(/\s+/g, '');
    const missing =
      told.status === 'approved' && !told.comment
        ? 'An approval needs a reason.'
        : (told.status !== 'open' || told.comment) && !told.author
          ? 'Who says so? The author is missing.'
          : told.status === 'approved' && limit && !(DEPTH_TEXT.test(limit) && parseFloat(limit) > 0)
            ? 'The depth is a length with its unit, such as 20mm.'
            : '';
    wrong.textContent = missing;
    wrong.hidden = !missing;
    if (missing) return;
    if (told.status === 'approved') told.depth = limit;
    lastAuthor = told.author;
    review.decide(findings, told.status === 'open' && !told.comment ? null : told);
    done();
  };
  const form = element(
    'div',
    'review',
    element('div', 'line', status, depth),
    comment,
    element('div', 'line', author, button('text', '', apply, findings.length > 1 ? `Apply to ${countText(findings.length)}` : 'Apply')),
    wrong,
    same && first ? element('p', 'when', `${first.author}${first.date ? `, ${first.date}` : ''}`) : null,
  );
  form.role = 'group';
  form.ariaLabel = 'Status and comment';
  return form;
}

/* --- files ----------------------------------------------------------------------------------------------------------- */

function saveReview(name) {
  const link = element('a', ''); /* stays out of the document */
  link.href = URL.createObjectURL(new Blob([review.text()], { type: 'text/plain' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  review.unsaved = 0;
}
