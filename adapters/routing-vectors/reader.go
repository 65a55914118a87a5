package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// An Object of any list of scaling.routing.json; the README says which list has which members.
type Object struct {
	Layout, Key, Of         string
	Number, Segment, Sent   int64
	Bucket, Has             *int64
	Start, End, Lower_end   uint32
	Sealed, Legacy, Applied bool
	Splits                  []uint32
}

// Wrong has each object that a client has otherwise, and their number; bucket -1: not known.
func Wrong(path string, route func(layout []Object, key []byte) (segment, bucket int64), applies func(of string, has *int64, sent int64) bool, lowerEnd func(start, end uint32) uint32) (wrong []Object, all int, err error) {
	var data struct {
		Format                            string
		Segments, Routes, Updates, Splits []Object
	}
	if text, _ := os.ReadFile(path); json.Unmarshal(text, &data) != nil || data.Format != "scalable-topics routing 1" {
		return nil, 0, fmt.Errorf("%s cannot be read as scalable-topics routing 1", path)
	}
	wrong = append(slices.DeleteFunc(slices.Clone(data.Updates), func(one Object) bool { return applies(one.Of, one.Has, one.Sent) == one.Applied }),
		slices.DeleteFunc(slices.Clone(data.Splits), func(one Object) bool { return lowerEnd(one.Start, one.End) == one.Lower_end })...)
	for _, one := range data.Routes {
		others := func(segment Object) bool { return segment.Layout != one.Layout }
		segment, bucket := route(slices.DeleteFunc(slices.Clone(data.Segments), others), []byte(one.Key))
		if segment != one.Segment || one.Bucket != nil && bucket >= 0 && bucket != *one.Bucket {
			wrong = append(wrong, one)
		}
	}
	return wrong, len(data.Routes) + len(data.Updates) + len(data.Splits), nil
}
