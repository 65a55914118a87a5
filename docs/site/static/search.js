// Search leads to sections: Sphinx's own finds pages, and no clause by its id. `SECTIONS` (sections.js) has for each
// section its page, the page's title, its anchor, its title and its text.
const times = (text, word) => text.split(word).length - 1;

// Pages of measurements name many words once; what they measure is said elsewhere.
const MEASURED = /^(docs\/(agreement|conformance|track-record)|spec\/wire\/bounds)$/;

// How well a section fits: all words must be in it; those of the title count most, and the query as it was typed.
const fit = (query, words, title, text) => {
  if (!words.every((word) => title.includes(word) || text.includes(word))) return 0;
  const named = title.split(/[^\w.-]+/);
  let score = 100 + 10 / (1 + text.length / 500);
  for (const word of words) {
    score += named.includes(word) ? 30 : title.includes(word) ? 15 : 0;
    score += 2 * Math.min(times(text, word), 3);
  }
  if (/^[a-z]{3}-\d+ · /.test(title)) score += 10; // a clause
  if (title === query || title.startsWith(`${query} ·`)) return score + 100;
  return score + (title.includes(query) ? 40 : 0) + (text.includes(query) ? 20 : 0);
};

// Results as Sphinx has them: page, title, anchor, description, score, file, kind; the best last.
const found = (typed, sections, most = 15) => {
  const query = typed.toLowerCase().trim();
  const words = query.match(/[\w.-]+/g) ?? [];
  if (!words.length) return [];
  return sections
    .map(([page, of, anchor, title, text]) => {
      const name = title === of ? ` ${page}` : ""; // a page may have another title than its file
      const fits = fit(query, words, title.toLowerCase(), (text + name).toLowerCase());
      const score = MEASURED.test(page) ? fits / 2 : fits;
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
