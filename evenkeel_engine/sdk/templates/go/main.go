// An adapter for evenkeel. Fill in one function per question; those left out are not asked.
package main

// Put your own calls in place of these. `Refuse` if it rejects the input on purpose, `Skip` what it
// does not have. A panic, or any other error, is an observation too: that it broke.
func main() {
	Serve("my-balancer", "1", Questions{
		@PASCAL@: first,
	})
}

func first(trial @PASCAL@Trial) (answer @PASCAL@Answer, err error) {
	return answer, Skip("not written yet")
}
