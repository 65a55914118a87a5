// The wire protocol of evenkeel, version 1: Node alone. Written by `evenkeel adapter new`.

declare const process: any; // so that @types/node is not needed
declare const console: any;
declare const require: any;

/** This trial cannot be put to the subject; keep numbers out of the reason. */
export class Skipped extends Error {}

/** The subject rejected the input on purpose: a reason in a word, and more in words. */
export class Refused extends Error {
  constructor(readonly reason: string, readonly detail = "") {
    super(reason);
  }
}

@TYPES@

/** An answer as a function may give it: an integer is a number, or a bigint where a double does not hold it. */
export type Given<T> = T extends number | bigint ? number | bigint : T extends object ? { [K in keyof T]: Given<T[K]> } : T;

/** One function per question. */
export interface Questions {
@SLOTS@
}

// The integers of trials that can be above 2^53, by question: they are bigints, be they large or small.
const LONG: { [question: string]: string[][] } = {
@LONG@
};

type Message = { type: string; id?: number; question?: string; trial?: any };

/** Answer the harness until it says bye. */
export function serve(name: string, version: string, questions: Partial<Questions>): void {
  // What a library prints must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const input = require("readline").createInterface({ input: process.stdin, crlfDelay: Infinity });
  const hello = {
    type: "hello", protocol: 1, name, version: `${version}+${buildId()}`, language: "typescript",
    questions: Object.keys(questions), options: [],
  };
  input.on("line", (line: string) => {
    if (line.trim() === "") return;
    const said = spoken(line, hello, questions);
    const ended = said.type === "bye";
    process.stdout.write(written(said) + "\n", () => ended && process.exit(0));
  });
}

// A digest of all modules that are loaded: another program gives another one.
function buildId(): string {
  const sha256 = require("crypto").createHash("sha256");
  for (const path of Object.keys(require.cache).sort()) sha256.update(require("fs").readFileSync(path));
  return sha256.digest("hex").slice(0, 12);
}

/** JSON, with a bigint digit by digit. */
export function written(value: any): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value?.toJSON === "function") return written(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
}

function spoken(line: string, hello: object, questions: Partial<Questions>): any {
  const unreadable = { type: "error", id: null, reason: "unreadable message", definite: true };
  let message: Message;
  try {
    message = read(line);
  } catch {
    return unreadable;
  }
  if (message?.type === "hello") return hello;
  if (message?.type === "bye") return { type: "bye" };
  if (message?.type !== "trial" || !Number.isInteger(message.id) || typeof message.trial !== "object") {
    return unreadable;
  }
  return reply(message.id!, message.question!, (questions as any)[message.question!], message.trial);
}

// Strings are passed over; an integer that a double does not hold is read digit by digit.
const LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const MARK = "\u0000integer";

/** JSON, with a bigint where an integer is not safe in a double. */
export function read(line: string): any {
  let marked = false;
  const text = line.replace(LONG_INTEGER, (found) => {
    if (found[0] === '"' || Number.isSafeInteger(Number(found))) return found;
    marked = true;
    return `{${JSON.stringify(MARK)}:"${found}"}`;
  });
  return marked ? JSON.parse(text, (_, value) => (value?.[MARK] ? BigInt(value[MARK]) : value)) : JSON.parse(text);
}

// Makes what stands at a path a bigint; "[]" is each item of an array.
function lengthen(value: any, [key, ...rest]: string[]): void {
  if (value === null || value === undefined) return;
  for (const name of key === "[]" ? Object.keys(value) : [key]) {
    if (rest.length > 0) lengthen(value[name], rest);
    else if (typeof value[name] === "number") value[name] = BigInt(value[name]);
  }
}

// The path of a bigint where the types say that there is a number.
function tooLong(value: any, known: string[][], path: string[] = []): string | undefined {
  if (typeof value === "bigint") return known.some((one) => one.join() === path.join()) ? undefined : path.join(".");
  if (value === null || typeof value !== "object") return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = tooLong(member, known, [...path, Array.isArray(value) ? "[]" : name]);
    if (found) return found;
  }
  return undefined;
}

function reply(id: number, name: string, question: ((trial: any) => any) | undefined, trial: any): any {
  if (question === undefined) return { type: "skipped", id, reason: "not written yet" };
  const known = LONG[name] ?? [];
  const found = tooLong(trial, known);
  if (found) return { type: "skipped", id, reason: `${found}: an integer that a number does not hold` };
  known.forEach((path) => lengthen(trial, path));
  try {
    return { type: "observation", id, answer: question(trial) };
  } catch (thrown) {
    if (thrown instanceof Skipped) return { type: "skipped", id, reason: thrown.message };
    if (thrown instanceof Refused) {
      return { type: "observation", id, refused: { reason: thrown.reason, detail: thrown.detail } };
    }
    const bug = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { type: "observation", id, broke: { reason: bug.name, detail: bug.message } };
  }
}
