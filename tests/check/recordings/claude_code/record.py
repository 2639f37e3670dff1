"""Records sessions of @anthropic-ai/claude-code 2.1.197: `record.py <command>`, which is that of the installed tool."""

from recorder import Recorder, call, text

FORK = "00000000-0000-4000-8000-000000000000"
THOUGHT = {"type": "thinking", "thinking": "I look.", "signature": "c2lnbmVk"}


def main() -> None:
    one = Recorder()
    calls = [call(1, "echo one; sleep 2"), call(2, "cat missing"), call(3, "echo three; sleep 1")]
    one.run("Look.", [THOUGHT, text("Three calls."), *calls], [THOUGHT], [text("Looked.")])
    one.run("And now?", [THOUGHT, call(4, "echo four")], [text("Done.")])
    one.write("parallel_calls.jsonl")
    one = Recorder()
    one.run("Look.", [call(1, "echo one; sleep 1"), call(2, "echo two")], [text("Looked.")])
    one.run("/compact", [text("<summary>The user wanted a look.</summary>")])
    one.run("Go on.", [call(3, "echo three")], [text("I continue.")])
    one.write("compaction.jsonl")
    one.run("Once more.", [text("Again.")], more=("--continue", "--fork-session", "--session-id", FORK))
    one.write("forked.jsonl", f"{FORK}.jsonl")
    one = Recorder("Bash,Agent")
    one.run(
        "Ask.",
        [call(1, "Look.", "Agent")],
        [call(2, "echo a; sleep 1"), call(3, "echo b")],
        [text("a, b")],
        [text("Yes.")],
    )
    one.write("sub_agent.jsonl", "*/subagents/*.jsonl")
    one = Recorder()
    one.run("Look.", [call(1, "echo one; sleep 1"), call(2, "echo two"), "Too many."], [text("Looked.")])
    one.run("Another.", [call(3, "cat missing")], [text("Missing.")])
    past = next(each for each in one.records() if each.get("message", {}).get("content") == [text("Looked.")])
    one.run("Another way.", [text("Two.")], more=("--resume", past["sessionId"], "--resume-session-at", past["uuid"]))
    one.write("rewound_after_an_error.jsonl")


if __name__ == "__main__":
    main()
