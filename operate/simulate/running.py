"""Runs: a scenario under a strategy with a placement, measured."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel.operate.simulate.rest import Rest, carried_out
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.reference.balancing import measures as measuring
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.measures import Measurement, Measures
from evenkeel.reference.balancing.settings import USUAL_PLACER, BalancerSpec, Placer, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import Millis


@dataclass(frozen=True, slots=True)
class RunJob:
    """One run to be made."""

    file: ScenarioFile
    balancer: BalancerSpec
    seed: int
    edition: Edition
    of_many: bool = False
    """Whether others differ from it in their seed alone."""

    @property
    def called(self) -> str:
        """What it is called among all runs."""
        seed = f", seed {self.seed}" if self.of_many else ""
        return f"{self.file.name}/{self.title}{seed}"

    @property
    def title(self) -> str:
        """The strategy, with its placement where that is not the usual one."""
        if self.balancer.placement is USUAL_PLACER[self.balancer.strategy]:
            return self.balancer.strategy.value
        return f"{self.balancer.strategy.value} with {self.balancer.placement.value}"


@dataclass(frozen=True, slots=True)
class Run:
    """One run that was made."""

    job: RunJob
    history: History
    readings: tuple[Measurement, ...]
    measures: Measures
    rest: Rest

    @property
    def title(self) -> str:
        """What the run is called among others of its scenario."""
        return self.job.title

    @property
    def identity(self) -> dict[str, str]:
        """What tells runs of one seed apart."""
        return {
            "scenario": self.job.file.name,
            "strategy": self.job.balancer.strategy.value,
            "placement": self.job.balancer.placement.value,
            "edition": self.job.edition.name,
        }

    @property
    def rests_after(self) -> Millis | None:
        """From when on it rests; None if it does not, as far as is known."""
        return self.rest.since


def balancer_for(file: ScenarioFile, strategy: Strategy, placement: Placer | None) -> BalancerSpec:
    """A strategy with the scenario's settings; without a placement, with its usual one.

    Raises `BadScenario` where the two do not go together.
    """
    return BalancerSpec(strategy, placement or USUAL_PLACER[strategy], file.settings[strategy])


def trial_of(job: RunJob) -> BalancingTrial:
    """The run as a trial of `balancing.loop`: a simulation and a check are of one kind."""
    return BalancingTrial(job.file.scenario, job.balancer, job.seed)


def carry_out(job: RunJob) -> Run:
    """One run. The same job gives the same run."""
    return measure_run(job, *carried_out(trial_of(job), job.edition))


def measure_run(job: RunJob, history: History, rest: Rest) -> Run:
    """A run from its history."""
    scenario, grace = job.file.scenario, job.balancer.settings.grace_minutes
    return Run(
        job,
        history,
        measuring.measurements(scenario, history),
        measuring.measures(scenario, history, grace),
        rest,
    )
