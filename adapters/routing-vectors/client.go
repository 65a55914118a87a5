// A client's routing, written from the documents alone: wire-protocol.md, key-shared.md 2, and
// Austin Appleby's MurmurHash3_x86_32. `go run client.go reader.go scaling.routing.json` checks it.
package main

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
)

func murmur3(key []byte) uint32 {
	mixed := func(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }
	var h uint32
	rest := key
	for ; len(rest) >= 4; rest = rest[4:] {
		h = bits.RotateLeft32(h^mixed(binary.LittleEndian.Uint32(rest)), 13)*5 + 0xe6546b64
	}
	var last [4]byte
	copy(last[:], rest)
	h ^= mixed(binary.LittleEndian.Uint32(last[:])) ^ uint32(len(key))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func route(layout []Object, key []byte) (segment, bucket int64) {
	hash, legacy, live := murmur3(key), 0, []Object{}
	for _, one := range layout {
		if !one.Sealed {
			live = append(live, one)
			if one.Legacy {
				legacy++
			}
		}
	}
	if legacy == len(live) {
		return int64(hash&0x7fffffff) % int64(len(live)), -1
	}
	for _, one := range live {
		if one.Start <= hash>>16 && hash>>16 <= one.End {
			for _, first := range one.Splits {
				if first <= hash&0xffff {
					bucket++
				}
			}
			return one.Number, bucket
		}
	}
	panic("no live segment has the hash")
}

// A layout needs a greater epoch than the one before (wire-protocol.md 2), an assignment one as great (6.2).
func applies(of string, has *int64, sent int64) bool {
	return has == nil || sent > *has || of == "assignment" && sent == *has
}

func lowerEnd(start, end uint32) uint32 {
	return start + (end-start)/2
}

func main() {
	wrong, all, err := Wrong(os.Args[1], route, applies, lowerEnd)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, one := range wrong {
		fmt.Printf("%+v\n", one)
	}
	fmt.Printf("%d of %d vectors are right\n", all-len(wrong), all)
	if len(wrong) > 0 {
		os.Exit(1)
	}
}
