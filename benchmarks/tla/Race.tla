-------------------------------- MODULE Race --------------------------------
(* Brokers race for one stored record: the graphs `race-...` of the chapter
   splitting (models/splitting/record_race_graphs.py), for TLC. Each broker
   wants one cut in one bundle. It reads the record, and writes what it read
   with its cut if the version is still the one that it read; otherwise it
   begins again, with one attempt fewer. Somebody else touches the record a
   few times. The hash space ends at 8 here; only the order of hashes counts. *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS Brokers, Attempts, Touches

VARIABLES boundaries, version, touches, cut, stage, view, seen, attempts

vars == <<boundaries, version, touches, cut, stage, view, seen, attempts>>

Created == {0, 4, 8}
Cuts == {2, 3, 6}
Lower(c) == IF c < 4 THEN 0 ELSE 4
Upper(c) == IF c < 4 THEN 4 ELSE 8
Whole(record, c) == \A hash \in record : hash <= Lower(c) \/ hash >= Upper(c)

Init ==
    /\ boundaries = Created
    /\ version = 0
    /\ touches = Touches
    /\ cut \in [Brokers -> Cuts]
    /\ stage = [b \in Brokers |-> "wants"]
    /\ view = [b \in Brokers |-> {}]
    /\ seen = [b \in Brokers |-> 0]
    /\ attempts = [b \in Brokers |-> Attempts]

Read(b) ==
    /\ stage[b] = "wants"
    /\ IF Whole(boundaries, cut[b])
       THEN /\ stage' = [stage EXCEPT ![b] = "has read"]
            /\ view' = [view EXCEPT ![b] = boundaries]
            /\ seen' = [seen EXCEPT ![b] = version]
       ELSE /\ stage' = [stage EXCEPT ![b] = "gone"]
            /\ UNCHANGED <<view, seen>>
    /\ UNCHANGED <<boundaries, version, touches, cut, attempts>>

Write(b) ==
    /\ stage[b] = "has read"
    /\ attempts' = [attempts EXCEPT ![b] = @ - 1]
    /\ view' = [view EXCEPT ![b] = {}]
    /\ seen' = [seen EXCEPT ![b] = 0]
    /\ IF seen[b] = version
       THEN /\ boundaries' = view[b] \cup {cut[b]}
            /\ version' = version + 1
            /\ stage' = [stage EXCEPT ![b] = "done"]
       ELSE /\ stage' = [stage EXCEPT ![b] = IF attempts[b] = 1 THEN "tired" ELSE "wants"]
            /\ UNCHANGED <<boundaries, version>>
    /\ UNCHANGED <<touches, cut>>

Touch ==
    /\ touches > 0
    /\ touches' = touches - 1
    /\ version' = version + 1
    /\ UNCHANGED <<boundaries, cut, stage, view, seen, attempts>>

Next == Touch \/ \E b \in Brokers : Read(b) \/ Write(b)

Spec == Init /\ [][Next]_vars

Done == {cut[b] : b \in {b \in Brokers : stage[b] = "done"}}
NothingIsLost == boundaries = Created \cup Done

Alike == Permutations(Brokers)
=============================================================================
