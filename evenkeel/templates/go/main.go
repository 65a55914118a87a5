// An adapter for evenkeel. Fill in one function per question; those left out are not asked.
package main

// Put your balancer's calls in place of these. `Refuse` if it rejects the input on purpose, `Skip` what it
// does not have. A panic, or any other error, is an observation too: that it broke.
func main() {
	Serve("my-balancer", "1", Questions{
		ContractRebalance: rebalance,
		BundlesHashLookup: hashLookup,
	})
}

// A strategy of your own: which units move in this turn? It promises what it is held to.
func rebalance(turn ContractRebalanceTrial) (answer ContractRebalanceAnswer, err error) {
	if turn.Do == "open" {
		measure, trigger, memory := Measure("count"), 1.0, false
		answer.Promises = &Promises{
			Measure: &measure, Trigger: &trigger, Memory: &memory,
			Knows: List[Feature]{"joins", "changes", "unserved"},
		}
		return answer, nil
	}
	held := map[string]int{}
	for _, unit := range turn.Units {
		if unit.Moving {
			return answer, nil
		}
		if unit.Node != nil {
			held[*unit.Node]++
		}
	}
	var least, most *string
	for i := range turn.Nodes {
		name := &turn.Nodes[i].Name
		if least == nil || held[*name] < held[*least] {
			least = name
		}
		if most == nil || held[*name] > held[*most] {
			most = name
		}
	}
	for _, unit := range turn.Units {
		if unit.Node == nil || (*unit.Node == *most && held[*most]-held[*least] > 1) {
			answer.Moves = List[ContractMove]{{Unit: unit.Name, From: unit.Node, To: least}}
			return answer, nil
		}
	}
	return answer, nil
}

func hashLookup(trial BundlesHashLookupTrial) (answer BundlesHashLookupAnswer, err error) {
	for i := 0; i+1 < len(trial.Boundaries); i++ {
		lower, upper := trial.Boundaries[i], trial.Boundaries[i+1]
		last := upper == 0xFFFFFFFF
		if lower <= trial.Hash && (trial.Hash < upper || last) {
			answer.Bundle = Span{Lower: lower, Upper: upper, UpperIncluded: last}
			return answer, nil
		}
	}
	return answer, Refuse("NoBundle", "no bundle holds the hash")
}
