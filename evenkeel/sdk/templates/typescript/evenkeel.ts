// The wire protocol of evenkeel, version 1: Node alone. Written by `evenkeel adapter new`.

declare const process: any; // so that @types/node is not needed
declare const console: any;
declare function require(name: string): any;

/** This trial cannot be put to the balancer; keep numbers out of the reason. */
export class Skipped extends Error {}

/** The balancer rejected the input on purpose: a reason in a word, and more in words. */
export class Refused extends Error {
  constructor(readonly reason: string, readonly detail = "") {
    super(reason);
  }
}

@TYPES@

/** An answer as a function may give it: where a number is an integer that a double does not hold, a bigint. */
export type Given<T> = T extends number ? number | bigint : T extends object ? { [K in keyof T]: Given<T[K]> } : T;

/** One function per question. */
export interface Questions {
@SLOTS@
}

type Message = { type: string; id?: number; question?: string; trial?: any };

/** Answer the harness until it says bye. */
export function serve(name: string, version: string, questions: Partial<Questions>): void {
  // What a library prints must not get between the messages.
  console.log = console.info = console.debug = console.error;
  const input = require("readline").createInterface({ input: process.stdin, crlfDelay: Infinity });
  const hello = {
    type: "hello", protocol: 1, name, version, language: "typescript",
    questions: Object.keys(questions), options: [],
  };
  input.on("line", (line: string) => {
    if (line.trim() === "") return;
    const said = spoken(line, hello, questions);
    const ended = said.type === "bye";
    process.stdout.write(written(said) + "\n", () => ended && process.exit(0));
  });
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
    message = JSON.parse(line);
  } catch {
    return unreadable;
  }
  if (message?.type === "hello") return hello;
  if (message?.type === "bye") return { type: "bye" };
  if (message?.type !== "trial" || !Number.isInteger(message.id) || typeof message.trial !== "object") {
    return unreadable;
  }
  return reply(message.id!, line, (questions as any)[message.question!], message.trial);
}

// Integers of the protocol have 64 bits; those that a double does not hold would be rounded silently.
function holdsItsIntegers(line: string): boolean {
  const numbers = line.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const long = numbers.match(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) ?? [];
  return long.every((digits) => Number.isSafeInteger(Number(digits)));
}

function reply(id: number, line: string, question: ((trial: any) => any) | undefined, trial: any): any {
  if (question === undefined) return { type: "skipped", id, reason: "not written yet" };
  if (!holdsItsIntegers(line)) {
    return { type: "skipped", id, reason: "an integer that JavaScript's numbers do not hold" };
  }
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
