// Search leads to sections: Sphinx's own finds pages, and no clause by its id. `SECTIONS` (sections.js) has for each
// section its page, the page's title, its anchor, its title and its text; for each word of the glossary likewise.
const SAYS_LITTLE = new Set(
  ("a an and any are as at be but by can cannot do does for from get gets has have how i if in is it its keep keeps me my no not of on " +
    "one or own per same so that the their them then there they this to too up was what when which why will with without you your").split(" "),
);
// Titles of issues and proposals begin and end with these, whatever they are about.
const TITLES = new Set(
  ("add added adds allow avoid bug cause check enhance error feature fix fixed implement improve improved introduce issue make option problem " +
    "proposal provide recommended remove should sometimes somehow support supports use using work working pulsar").split(" "),
);

// Words of users for words of the specification.
const SAME = {
  uneven: "balanced", unbalanced: "balanced", imbalance: "balanced", switch: "change", migrate: "change",
  migration: "change", exceed: "more", pong: "back", flapping: "back", scale: "new", accurate: "more", cpu: "usage",
  unit: "bundle", service: "ownership",
};

// How much a page's words count: pages of measurements and lists name many words once; what they are about is said
// elsewhere. What is written for users of a cluster comes first.
const KINDS = [
  [/^docs\/how-to\/my-cluster$/, 1.4],
  [/^docs\/how-to\//, 1.2],
  [/^(docs\/(agreement|conformance|track-record|live-runs|what-releases-changed|architecture|upstream\/README)|spec\/(wire|coverage|errata)|editions|clauses)/, 0.3],
  [/^(docs\/(upstream\/|live$)|glossary|keys$|spec\/(contract|trace|notation)$)/, 0.7],
];
const CLAUSE = /^#clause-/; // a section says what its clauses are about
const kind = ({ page, of, anchor, title }) =>
  KINDS.find(([pattern]) => pattern.test(page))?.[1] ?? (CLAUSE.test(anchor) ? 1 : title === of ? 0.5 : 1.2);

// The forms of a word are one word: split, splits, splitting; policy, policies. A query's limiter is a limit, too.
const stem = (word) => {
  if (word.length < 4 || /[\d_.]/.test(word)) return word;
  const bare = word.replace(/(?:ing|ed|s)$/, "").replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  return bare.length < 3 ? word : bare.replace(/ie?$|y$/, "i").replace(/e$/, "");
};
// A key or a name of a class counts as its parts, too.
const parts = (word) => (/[a-z][A-Z]/.test(word) ? [word, ...word.split(/(?<=[a-z])(?=[A-Z])/)] : [word]);
const JOINED = /-|(?<=[a-z])(?=[A-Z])/; // a name that is nowhere is looked for by its parts
const plain = (text) => text.match(/[\w.-]*\w/g) ?? [];
const stems = (words) => words.map((word) => stem(word.toLowerCase()));

const counted = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

// All sections with their words, and in how many of them each word is.
const indexed = (sections) => {
  const entries = sections.map(([page, of, anchor, title, text]) => {
    const name = title === of ? page.replaceAll("/", " ") : of; // a page may have another title than its file
    const body = stems(plain(`${text} ${name}`).flatMap(parts));
    const head = new Set(stems(plain(title).flatMap(parts)));
    return { page, of, anchor, title, text, head, above: new Set(stems(plain(of))), body: counted(body), length: body.length };
  });
  const frequency = new Map();
  for (const { head, body } of entries)
    for (const word of new Set([...head, ...body.keys()])) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return { entries, frequency };
};

// What is looked for: each word of the query with the words that will do for it, and how rare they are.
const wanted = (query, { entries, frequency }) => {
  const known = (word) => frequency.has(stem(word.toLowerCase()));
  const typed = plain(query).flatMap((word) => (known(word) ? parts(word) : word.split(JOINED))).map((word) => word.toLowerCase());
  const said = typed.filter((word) => !SAYS_LITTLE.has(word));
  const about = said.filter((word) => !TITLES.has(word));
  const telling = about.length > 1 ? about : said;
  return [...new Set(telling.length ? telling : typed)].map((word) => {
    const bare = word.length > 6 ? word.replace(/(?:ly|er|ive|ent)$/, "") : word;
    const exact = [...new Set([word, bare, SAME[word] ?? SAME[stem(word)] ?? word].map(stem))].filter((one) => frequency.has(one));
    const longer = word.length > 7 ? [...frequency.keys()].filter((one) => one.startsWith(word)) : [];
    const begun = exact.length ? [...new Set([...exact, ...longer])] : [...frequency.keys()].filter((one) => one.includes(word));
    const most = Math.max(0, ...begun.map((one) => frequency.get(one)));
    return { forms: begun, weight: Math.log(1 + entries.length / (1 + most)) };
  });
};

// Of this many words or more fewer need to be there.
const MANY = 3;

// How well a section fits: the share of the words that it has, rare ones counting more; those of its title most; and
// how much of its title was asked for.
const fit = (query, words, entry) => {
  let has = 0, named = 0, all = 0, often = 0;
  for (const { forms, weight } of words) {
    const times = Math.max(0, ...forms.map((word) => entry.body.get(word) ?? 0));
    const inTitle = forms.some((word) => entry.head.has(word));
    all += weight;
    named += inTitle ? weight : forms.some((word) => entry.above.has(word)) ? weight / 2 : 0;
    if (inTitle || times) has += weight;
    often += (weight * times) / (times + 1 + entry.length / 100);
  }
  if (has < all / (words.length >= MANY ? 3 : 2)) return 0;
  const asked = [...entry.head].filter((word) => words.some(({ forms }) => forms.includes(word))).length;
  const title = entry.title.toLowerCase();
  const exact = title === query || title.startsWith(`${query} ·`) ? 100 : title.includes(query) ? 20 : 0;
  const fits = (30 * named + 20 * often) / all + (10 * asked) / entry.head.size;
  return (has / all) ** 2 * (20 + fits) * kind(entry) + exact;
};

// Results as Sphinx has them: page, title, anchor, description, score, file, kind; the best last.
let index;
const found = (typed, sections, most = 15) => {
  const meaning = /^what (?:is|are) (?:an? |the )?/; // then the glossary has it
  const query = typed.toLowerCase().trim().replace(/\?$/, "").replace(meaning, "");
  index ??= indexed(sections);
  const words = wanted(typed, index).filter(({ forms }) => forms.length);
  if (!words.length) return [];
  const explains = meaning.test(typed.toLowerCase().trim());
  return index.entries
    .map((entry) => {
      const { page, of, anchor, title, text } = entry;
      const score = fit(query, words, entry) * (explains && page === "glossary" ? 4 : 1);
      return [page, title === of ? title : `${of} > ${title}`, anchor, text.slice(0, 160), score, `${page}.md`, "title"];
    })
    .filter((result) => result[4])
    .sort((one, other) => one[4] - other[4])
    .slice(-most);
};

// This runs before Sphinx's search is there, and is called before it begins.
document.addEventListener("DOMContentLoaded", () => {
  const pages = Search._performSearch;
  Search._performSearch = (query, ...terms) => [...pages(query, ...terms), ...found(query, SECTIONS)];
});
