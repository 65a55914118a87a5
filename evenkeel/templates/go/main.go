// An adapter for evenkeel. Fill in one function per question; those left out are not asked.
package main

// Put your balancer's calls in place of these. `Refuse` if it rejects the input on purpose, `Skip` what it
// does not have. A panic, or any other error, is an observation too: that it broke.
func main() {
	Serve("my-balancer", "1", Questions{
		BundlesHashLookup: hashLookup,
	})
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
