package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

type Segment struct {
	Layout         string
	Number         int64
	Start, End     uint32
	Sealed, Legacy bool
	Splits         []uint32
}

// Wrong is a sentence for each route of the file that a client has otherwise; bucket -1: not known.
func Wrong(path string, client func(layout []Segment, key []byte) (segment, bucket int64)) (wrong []string, routes int, err error) {
	var data struct {
		Format   string
		Segments []Segment
		Routes   []struct {
			Layout, Key string
			Segment     int64
			Bucket      *int64
		}
	}
	if text, _ := os.ReadFile(path); json.Unmarshal(text, &data) != nil || data.Format != "scalable-topics routing 1" {
		return nil, 0, fmt.Errorf("%s cannot be read as scalable-topics routing 1", path)
	}
	for _, route := range data.Routes {
		others := func(one Segment) bool { return one.Layout != route.Layout }
		segment, bucket := client(slices.DeleteFunc(slices.Clone(data.Segments), others), []byte(route.Key))
		if segment != route.Segment || route.Bucket != nil && bucket >= 0 && bucket != *route.Bucket {
			wrong = append(wrong, fmt.Sprintf("%+v: segment %d, bucket %d", route, segment, bucket))
		}
	}
	return wrong, len(data.Routes), nil
}
