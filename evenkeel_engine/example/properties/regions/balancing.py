"""SimpleLoadBalancer: which regions move, in one round and round after round?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from evenkeel_engine.example.reference.edition import Edition
from evenkeel_engine.example.reference.regions import balancing
from evenkeel_engine.example.reference.regions.balancing import Move, Rules, Server
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run
from evenkeel_engine.kit.trial import require, require_bounds, require_different

CLAUSES = ("RGN-1", "RGN-2", "RGN-3", "RGN-4", "RGN-5", "RGN-6", "RGN-7")


@dataclass(frozen=True, slots=True)
class PlanTrial:
    """`regions.plan`: which regions does the balancer move?"""

    config: Rules
    servers: tuple[Server, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        require_servers("servers", self.servers)


@dataclass(frozen=True, slots=True)
class Round:
    """The servers that join before the balancer is asked."""

    joining: tuple[Server, ...]


@dataclass(frozen=True, slots=True)
class RoundsTrial:
    """`regions.rounds`: which regions move, round after round? Every plan is carried out."""

    config: Rules
    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        if self.rounds:
            require_servers("rounds[0].joining", self.rounds[0].joining)
            require_servers("rounds", [one for each in self.rounds for one in each.joining])


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves of one round."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """The moves of each round."""

    plans: tuple[Plan, ...]


def require_servers(place: str, servers: Sequence[Server]) -> None:
    """There are servers; they, and their regions, are different."""
    require(bool(servers), place, "must not be empty")
    require_different(place, [one.name for one in servers])
    require_different(place, [region for one in servers for region in one.regions])


def servers_of(draw: Draw, before: int = 0) -> tuple[Server, ...]:
    """A few servers, numbered after those before them, each with up to nine regions."""
    servers = []
    for number in draw.items(5, 0.7, least=1):
        name = f"s{before + number}"
        regions = draw.items(9, draw.pick((0.6, 0.8, 0.0)))
        servers.append(Server(name, tuple(f"{name}-r{index}" for index in regions)))
    return tuple(servers)


def plan_trial(draw: Draw) -> PlanTrial:
    """The shipped slop, or another one."""
    return PlanTrial(Rules(draw.pick((0.2, 0.0, 0.1, 0.5, 1.0))), servers_of(draw))


def rounds_trial(draw: Draw) -> RoundsTrial:
    """In most rounds nobody joins."""
    first = plan_trial(draw)
    made, joined = [Round(first.servers)], len(first.servers)
    for _ in draw.items(15, 0.85):
        made.append(Round(servers_of(draw, joined) if draw.chance(0.4) else ()))
        joined += len(made[-1].joining)
    return RoundsTrial(first.config, tuple(made))


def answer_plan(trial: PlanTrial, edition: Edition) -> Plan:
    """The reference's moves."""
    return Plan(balancing.plan(trial.servers, trial.config, edition))


def answer_rounds(trial: RoundsTrial, edition: Edition) -> Plans:
    """The reference's moves in each round."""
    servers: tuple[Server, ...] = ()
    plans: list[Plan] = []
    for one in trial.rounds:
        servers += one.joining
        plans.append(Plan(balancing.plan(servers, trial.config, edition)))
        servers = balancing.carried_out(servers, plans[-1].moves)
    return Plans(tuple(plans))


def plan_labels(trial: PlanTrial) -> Iterator[str]:
    """Whether a server is idle."""
    yield "no idle server" if all(one.regions for one in trial.servers) else "an idle server"


@decision("regions.plan", *CLAUSES)
def judge_plan(run: Run, case: Case[PlanTrial, Plan]) -> None:
    """Judge one round."""
    trial, observed = case.trial, case.observation
    if not isinstance(observed, Plan):
        run.fail("RGN-1", f"must be a plan; the subject {describe(observed)}", "shape")
    judge_moves(run, trial.servers, observed.moves, trial.config.slop, case.edition)


@rounds("regions.rounds", *CLAUSES)
def judge_rounds(case: Case[RoundsTrial, Plans]) -> Program:
    """Judge each round by what the observed plans before it have made of the servers."""
    trial, plans = case.trial, getattr(case.observation, "plans", ())

    def step(run: Run, place: int, servers: tuple[Server, ...]) -> tuple[Server, ...]:
        if len(plans) != len(trial.rounds):
            run.fail("RGN-1", f"must be a plan for each of {len(trial.rounds)} rounds", "shape")
        servers, moves = servers + trial.rounds[place].joining, plans[place].moves
        judge_moves(run, servers, moves, trial.config.slop, case.edition)
        return balancing.carried_out(servers, moves)

    return Program((), len(trial.rounds), step)


def judge_moves(
    run: Run, servers: Sequence[Server], moves: Sequence[Move], slop: float, edition: Edition
) -> None:
    """Judge the moves of one round."""
    held = {one.name: set(one.regions) for one in servers}
    counts = [len(regions) for regions in held.values()]
    average = sum(counts) / len(counts)
    run.note("the servers hold {} regions, {} on average", counts, average)
    for move in moves:
        fits = move.region in held.get(move.source, ()) and move.destination in held
        fits = fits and move.source != move.destination
        run.require("RGN-1", fits, f"{display(move)} is not possible", "move")
        held[move.source].discard(move.region)
    judge_due(run, counts, slop, bool(moves), edition)
    if moves:
        gained = [sum(move.destination == name for move in moves) for name in held]
        after = [len(left) + new for left, new in zip(held.values(), gained, strict=True)]
        even = floor(average) <= min(after) and max(after) <= ceil(average)
        run.require("RGN-2", even, f"the servers hold {after} regions afterwards")
        too_many = sum(max(0, count - ceil(average)) for count in counts)
        too_few = sum(max(0, floor(average) - count) for count in counts)
        needed = max(too_many, too_few)
        run.require("RGN-3", len(moves) <= needed, f"{len(moves)} moves, where {needed} do")


def judge_due(run: Run, counts: Sequence[int], slop: float, moved: bool, edition: Edition) -> None:
    """Whether there is a plan at all; even servers need none."""
    least, most, average = min(counts), max(counts), sum(counts) / len(counts)
    upper, lower = average * (1 + slop), average * (1 - slop)
    says = f"{'some' if moved else 'none'} move, with {least} to {most} regions on a server"
    if most - least <= 1:
        return
    if not edition.bounds_rounded:
        run.require("RGN-4" if most > upper else "RGN-5", moved is (most > upper), says)
    elif least == 0:
        run.require("RGN-7", moved, says)
    else:
        run.require("RGN-6", moved is (most > ceil(upper) or least < floor(lower)), says)


QUESTIONS = (
    Question("regions.plan", PlanTrial, Plan, plan_trial, answer_plan, plan_labels),
    Question("regions.rounds", RoundsTrial, Plans, rounds_trial, answer_rounds, commands="rounds"),
)
