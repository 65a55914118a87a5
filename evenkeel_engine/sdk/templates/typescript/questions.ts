// Fill in one function per question; those left out are not asked. This file starts nothing, so that tests of your
// own can import it.
import { Questions, Skipped } from "./evenkeel";

// Put your own calls in place of these. Throw `Refused` if it rejects the input on purpose, `Skipped` for
// what it does not have. Anything else that is thrown is an observation too: that it broke. Integers that can
// be above 2^53 come as a bigint (the types say which), and such a one in an answer is sent as it is.
export const questions: Partial<Questions> = {
  "@QUESTION@": (trial) => {
    throw new Skipped("not written yet");
  },
};
