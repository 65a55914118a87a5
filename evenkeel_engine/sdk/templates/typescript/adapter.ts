// An adapter for evenkeel: it serves what questions.ts has.
import { serve } from "./evenkeel";
import { questions } from "./questions";

serve("my-balancer", "1", questions);
