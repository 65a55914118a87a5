// The wire protocol of evenkeel, version 1: standard library only. Written by `evenkeel adapter new`.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
)

// List is an array; empty it is [] in JSON, never null.
type List[T any] []T

// MarshalJSON writes it.
func (list List[T]) MarshalJSON() ([]byte, error) {
	if list == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(list))
}

// Union is a value of one of several types, told apart by Do.
type Union struct{ Raw json.RawMessage }

// UnmarshalJSON keeps it as it is.
func (union *Union) UnmarshalJSON(data []byte) error {
	union.Raw = append(json.RawMessage(nil), data...)
	return nil
}

// MarshalJSON writes it.
func (union Union) MarshalJSON() ([]byte, error) { return union.Raw, nil }

// Do says which of the types it is.
func (union Union) Do() string {
	var tag struct {
		Do string `json:"do"`
	}
	_ = json.Unmarshal(union.Raw, &tag) // what cannot be read has no `do`
	return tag.Do
}

// As reads a union as one of its types.
func As[T any](union Union) (value T, err error) {
	err = json.Unmarshal(union.Raw, &value)
	return value, err
}

// One makes a union of a value.
func One(value any) Union {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return Union{raw}
}

type said struct{ Kind, Reason, Detail string }

func (s said) Error() string { return s.Reason + ": " + s.Detail }

// Refuse says that the subject rejected the input on purpose.
func Refuse(reason, detail string) error { return said{"refused", reason, detail} }

// Broke says that the subject failed where it should have answered or refused.
func Broke(reason, detail string) error { return said{"broke", reason, detail} }

// Skip says that this trial cannot be put to the subject.
func Skip(reason string) error { return said{"skipped", reason, ""} }

func answered(question func([]byte) (any, error), trial []byte) (answer any, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			err = Broke("panic", fmt.Sprint(bug))
		}
	}()
	return question(trial)
}

// A digest of this executable: another program gives another one.
func buildID() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(program))[:12]
}

// Serve answers the harness until it says bye.
func Serve(name, version string, questions Questions) {
	output := bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr // what a library prints must not get between the messages
	known, offered := map[string]func([]byte) (any, error){}, List[string]{}
	fields := reflect.TypeOf(questions)
	for i := 0; i < fields.NumField(); i++ {
		if field := reflect.ValueOf(questions).Field(i); !field.IsNil() {
			question := fields.Field(i).Tag.Get("question")
			offered = append(offered, question)
			known[question] = field.Interface().(interface {
				call([]byte) (any, error)
			}).call
		}
	}
	say := func(message map[string]any) {
		if err := json.NewEncoder(output).Encode(message); err != nil {
			panic(err)
		}
		if err := output.Flush(); err != nil {
			os.Exit(1)
		}
	}
	hello := map[string]any{"type": "hello", "protocol": 1, "name": name, "version": version + "+" + buildID(),
		"language": "go", "questions": offered, "options": List[string]{}}
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var message struct {
				Type, Question string
				ID             *int64 `json:"id"`
				Trial          json.RawMessage
			}
			bad := json.Unmarshal(line, &message)
			switch {
			case bad == nil && message.Type == "hello":
				say(hello)
			case bad == nil && message.Type == "bye":
				say(map[string]any{"type": "bye"})
				return
			case bad == nil && message.Type == "trial" && message.ID != nil && message.Trial != nil:
				say(reply(known[message.Question], *message.ID, message.Trial))
			default:
				say(map[string]any{"type": "error", "id": message.ID, "reason": "unreadable message", "definite": true})
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
	}
}

func reply(question func([]byte) (any, error), id int64, trial []byte) map[string]any {
	if question == nil {
		return map[string]any{"type": "skipped", "id": id, "reason": "not written yet"}
	}
	answer, err := answered(question, trial)
	observation := map[string]any{"type": "observation", "id": id}
	var told said
	var misread unreadable
	switch {
	case err == nil:
		observation["answer"] = answer
	case errors.As(err, &misread):
		return map[string]any{"type": "error", "id": id, "reason": misread.Error(), "definite": true}
	case errors.As(err, &told) && told.Kind == "skipped":
		return map[string]any{"type": "skipped", "id": id, "reason": told.Reason}
	case errors.As(err, &told):
		observation[told.Kind] = map[string]string{"reason": told.Reason, "detail": told.Detail}
	default:
		observation["broke"] = map[string]string{"reason": "error", "detail": err.Error()}
	}
	return observation
}

type unreadable struct{ error }

// Question answers trials of type T with answers of type A.
type Question[T, A any] func(T) (A, error)

func (question Question[T, A]) call(data []byte) (any, error) {
	var trial T
	if err := json.Unmarshal(data, &trial); err != nil {
		return nil, unreadable{err}
	}
	return question(trial)
}
