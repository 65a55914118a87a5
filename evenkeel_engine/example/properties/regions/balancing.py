"""SimpleLoadBalancer: which regions move, in one round and round after round?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

from evenkeel_engine.example.reference.edition import Edition
from evenkeel_engine.example.reference.regions import balancing
from evenkeel_engine.example.reference.regions.balancing import Move, Rules, Server
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, answers, decision, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run
from evenkeel_engine.kit.trial import require_bounds, require_different

CLAUSES = ("RGN-1", "RGN-2", "RGN-3", "RGN-4", "RGN-5", "RGN-6", "RGN-7")


@dataclass(frozen=True, slots=True)
class Round:
    """`regions.plan`: which regions does the balancer move?"""

    config: Rules
    servers: tuple[Server, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        require_all_different("servers", self.servers)


@dataclass(frozen=True, slots=True)
class Rounds:
    """`regions.rounds`: which regions move, round after round? Every plan is carried out. The
    servers of a round join those of the rounds before.
    """

    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        require_all_different("rounds", [one for each in self.rounds for one in each.servers])


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves of one round."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """The moves of each round."""

    plans: tuple[Plan, ...]


def require_all_different(place: str, servers: Sequence[Server]) -> None:
    """No server and no region is there twice."""
    require_different(place, [one.name for one in servers])
    require_different(place, [region for one in servers for region in one.regions])


def make_round(draw: Draw, before: int = 0) -> Round:
    """A few servers, numbered after those before them; these are joined by few."""
    servers = []
    for number in draw.items(6, 0.2 if before else 0.8):
        name = f"s{before + number}"
        regions = draw.items(9, draw.pick((0.6, 0.8, 0.0)))
        servers.append(Server(name, tuple(f"{name}-r{index}" for index in regions)))
    return Round(Rules(draw.pick((0.2, 0.0, 0.1, 0.5, 1.0))), tuple(servers))


def make_rounds(draw: Draw) -> Rounds:
    """A dozen rounds at most."""
    made: list[Round] = []
    for _ in draw.items(12, 0.85):
        made.append(make_round(draw, sum(len(one.servers) for one in made)))
    return Rounds(tuple(made))


def answer_round(trial: Round, edition: Edition) -> Plan:
    """The reference's moves."""
    return Plan(balancing.plan(trial.servers, trial.config, edition))


def answer_rounds(trial: Rounds, edition: Edition) -> Plans:
    """The reference's moves in each round."""
    servers: tuple[Server, ...] = ()
    plans: list[Plan] = []
    for one in trial.rounds:
        servers += one.servers
        plans.append(Plan(balancing.plan(servers, one.config, edition)))
        servers = balancing.carried_out(servers, plans[-1].moves)
    return Plans(tuple(plans))


def label_round(trial: Round) -> Iterator[str]:
    """Whether a server is idle."""
    yield "no idle server" if all(one.regions for one in trial.servers) else "an idle server"


@decision("regions.plan", *CLAUSES)
def judge_round(run: Run, case: AnyCase) -> None:
    """Judge one round."""
    plan: Any = case.observation
    if answers(run, case, "RGN-1"):
        judge_moves(run, case.trial, plan, case.edition)


@rounds("regions.rounds", *CLAUSES)
def judge_rounds(case: AnyCase) -> Program:
    """Judge each round by what the observed plans before it have made of the servers."""
    trial, plans = case.trial.rounds, getattr(case.observation, "plans", ())

    def step(run: Run, place: int, servers: tuple[Server, ...]) -> tuple[Server, ...]:
        if len(plans) != len(trial):
            run.require("RGN-1", False, f"must be a plan for each of {len(trial)} rounds", "shape")
            return servers
        now = replace(trial[place], servers=(*servers, *trial[place].servers))
        done = judge_moves(run, now, plans[place], case.edition)
        return balancing.carried_out(now.servers, done)

    return Program((), len(trial), step)


def judge_moves(run: Run, trial: Round, plan: Plan, edition: Edition) -> list[Move]:
    """Judge the moves of one round. Those that are possible."""
    held, done = {one.name: set(one.regions) for one in trial.servers}, list[Move]()
    counts = [len(regions) for regions in held.values()]
    average = sum(counts) / len(counts) if counts else 0.0
    run.note("the servers hold {} regions, {} on average", counts, average)
    for move in plan.moves:
        fits = move.region in held.get(move.source, ()) and move.destination in held
        fits = fits and move.source != move.destination
        run.require("RGN-1", fits, f"{display(move)} is not possible", "move")
        if fits:  # else the clause is left out, to find which is to blame
            held[move.source].discard(move.region)
            done.append(move)
    judge_due(run, counts, trial.config.slop, bool(plan.moves), edition)
    if plan.moves:
        gained = Counter(move.destination for move in plan.moves)
        after = [len(left) + gained[name] for name, left in held.items()]
        even = floor(average) <= min(after) and max(after) <= ceil(average)
        run.require("RGN-2", even, f"the servers hold {after} regions afterwards")
        too_many = sum(max(0, count - ceil(average)) for count in counts)
        too_few = sum(max(0, floor(average) - count) for count in counts)
        moves, needed = len(plan.moves), max(too_many, too_few)
        run.require("RGN-3", moves <= needed, f"{moves} moves, where {needed} do")
    return done


def judge_due(run: Run, counts: list[int], slop: float, moved: bool, edition: Edition) -> None:
    """Whether there is a plan at all; even servers need none."""
    least, most = min(counts, default=0), max(counts, default=0)
    if most - least <= 1:
        return
    average = sum(counts) / len(counts)
    upper, lower = average * (1 + slop), average * (1 - slop)
    says = f"{'some' if moved else 'none'} move, with {least} to {most} regions on a server"
    if not edition.bounds_rounded:
        run.require("RGN-4" if most > upper else "RGN-5", moved is (most > upper), says)
    elif least == 0:
        run.require("RGN-7", moved, says)
    else:
        run.require("RGN-6", moved is (most > ceil(upper) or least < floor(lower)), says)


PLAN = Question(
    "regions.plan", Round, Plan, make_round, answer_round, label_round, one_decision=True
)
ROUNDS = Question("regions.rounds", Rounds, Plans, make_rounds, answer_rounds, commands="rounds")
QUESTIONS = (PLAN, ROUNDS)
