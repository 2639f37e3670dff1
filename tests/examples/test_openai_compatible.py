"""`examples/openai_compatible.py` against an endpoint on loopback."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from .endpoint import Endpoint, Response, event, whole
from .programs import Ended, call

STREAMED = 'python examples/openai_compatible.py "How far?"'
WHOLE = 'python examples/openai_compatible.py --whole "How far?"'
MILES = '{"amount": 26.2, "unit": "miles"}'
KILOMETERS = '{"amount": 5, "unit": "kilometers"}'
TEXT = "Let’s\u2028see \x85 42.2"
ANSWER = event({"content": "Done."}) + event({}, "stop") + b"data: [DONE]\n\n"
CONVERSATION = f"""\
assistant: {TEXT}
assistant calls convert_distance with {MILES}
assistant calls convert_distance with {KILOMETERS}
tool: 42.2 kilometers
tool: 3.1 miles
assistant: Done.
"""


def _call(arguments: str, **fields: Any) -> dict[str, Any]:
    """A tool call, or a piece of one, in the endpoint's form."""
    named = {"name": "convert_distance"} if "id" in fields else {}
    return {**fields, "function": {**named, "arguments": arguments}}


def _calls(*calls: dict[str, Any]) -> bytes:
    return event({"tool_calls": list(calls)})


def _streamed(body: bytes) -> Response:
    """A response that arrives byte by byte."""
    return Response([bytes([byte]) for byte in body])


TEXT_EVENTS = event({"role": "assistant", "content": ""}) + b"".join(
    event({"content": piece}) for piece in (TEXT[:4], TEXT[4:])
)
END_EVENTS = event({}, "tool_calls") + b'data: {"choices": [], "usage": {"total_tokens": 9}}\n\ndata: [DONE]\n\n'
INTERLEAVED = (
    _calls(_call("", index=0, id="a"))
    + _calls(_call(MILES[:9], index=0), _call("", index=1, id="b"))
    + _calls(_call(KILOMETERS[:3], index=1))
    + _calls(_call(MILES[9:], index=0))
    + _calls(_call(KILOMETERS[3:], index=1))
)
WITH_CRLF_AND_COMMENTS = (b": a comment\n\nevent: message\n" + INTERLEAVED).replace(b"\n", b"\r\n")
WITH_ONE_INDEX = _calls(_call(MILES, index=0, id="a")) + _calls(_call(KILOMETERS, index=0, id="b"))
WITHOUT_INDEX = _calls(_call(MILES, id="a"), _call(KILOMETERS, id="b"))
WITH_REPEATED_IDS = (
    _calls(_call(MILES[:9], index=0, id="a"))
    + _calls(_call(MILES[9:], index=0, id="a"))
    + _calls(_call(KILOMETERS, index=1, id="b"))
)
IN_TWO_LINES = INTERLEAVED.replace(b'{"object"', b'{\ndata: "object"')


@pytest.mark.parametrize(
    "calls",
    [INTERLEAVED, WITH_CRLF_AND_COMMENTS, WITH_ONE_INDEX, WITHOUT_INDEX, WITH_REPEATED_IDS, IN_TWO_LINES],
    ids=["interleaved", "CRLF and comments", "one index", "no index", "repeated ids", "two lines of data"],
)
def test_a_streamed_run_with_tool_calls_in_pieces(calls: bytes, endpoint: Endpoint, tmp_path: Path) -> None:
    """Texts and calls are complete although each byte arrives alone. The second request has the results."""
    endpoint.responses = [_streamed(TEXT_EVENTS + calls + END_EVENTS), Response([ANSWER])]

    ended = call(STREAMED, tmp_path, endpoint.env)

    assert ended == Ended(0, CONVERSATION, "")
    assert endpoint.paths == ["/v1/chat/completions"] * 2
    assert endpoint.keys == ["Bearer secret"] * 2
    assert [body["stream"] for body in endpoint.bodies] == [True, True]
    assert endpoint.bodies[1]["messages"] == _second_conversation()


def test_a_run_with_whole_answers(endpoint: Endpoint, tmp_path: Path) -> None:
    """The output is the same; the requests have no stream."""
    calls = [_call(MILES, id="a", type="function"), _call(KILOMETERS, id="b", type="function")]
    endpoint.responses = [whole({"content": TEXT, "tool_calls": calls}, "tool_calls"), whole({"content": "Done."})]

    ended = call(WHOLE, tmp_path, endpoint.env)

    assert ended == Ended(0, CONVERSATION, "")
    assert endpoint.bodies[1]["messages"] == _second_conversation()
    parameters = {
        "type": "object",
        "properties": {
            "amount": {"type": "number"},
            "unit": {"type": "string", "enum": ["miles", "kilometers"], "description": "The unit of the amount."},
        },
        "required": ["amount", "unit"],
    }
    described = {
        "name": "convert_distance",
        "description": "Converts miles to kilometers, or kilometers to miles.",
        "parameters": parameters,
    }
    assert endpoint.bodies[0] == {
        "model": "a-model",
        "messages": _second_conversation()[:2],
        "tools": [{"type": "function", "function": described}],
    }


def _second_conversation() -> list[dict[str, Any]]:
    """The messages of the second request."""
    function = {"name": "convert_distance"}
    return [
        {"role": "system", "content": "Convert distances with the tool only."},
        {"role": "user", "content": "How far?"},
        {
            "role": "assistant",
            "content": TEXT,
            "tool_calls": [
                {"id": "a", "type": "function", "function": {**function, "arguments": MILES}},
                {"id": "b", "type": "function", "function": {**function, "arguments": KILOMETERS}},
            ],
        },
        {"role": "tool", "content": "42.2 kilometers", "tool_call_id": "a"},
        {"role": "tool", "content": "3.1 miles", "tool_call_id": "b"},
    ]


BEGUN = event({"content": "It is "})
REFUSED_KEY = Response([b'{"error": {"message": "The key is wrong.\\nTry another.", "code": 7}}'], status=401)
PROXY = Response([b"<html>\n<h1>Bad gateway</h1>\n</html>"], status=502)
ERROR_EVENT = Response([BEGUN, b'data: {"error": {"message": "The model is overloaded"}}\n\n'])
NOTHING_KNOWN = "The endpoint has sent no chat completion: "
BYTES = 'The endpoint has answered with 503 Service Unavailable: {"error": "�"}.'
CLOSED = "The endpoint has closed the stream before the end of the answer."
CUT_OFF = "The endpoint has cut off the answer with the reason 'length'."
FAILED = "The connection to the endpoint has failed: "


@pytest.mark.parametrize(
    ("command", "response", "printed", "sentence"),
    [
        (STREAMED, REFUSED_KEY, "", "The endpoint has answered with 401 Unauthorized: The key is wrong. Try another."),
        (WHOLE, REFUSED_KEY, "", "The endpoint has answered with 401 Unauthorized: The key is wrong. Try another."),
        (WHOLE, PROXY, "", "The endpoint has answered with 502 Bad Gateway: <html> <h1>Bad gateway</h1> </html>."),
        (STREAMED, Response([], status=500), "", "The endpoint has answered with 500 Internal Server Error: no text."),
        (STREAMED, ERROR_EVENT, "It is ", "The endpoint reports an error: The model is overloaded."),
        (STREAMED, Response([BEGUN, BEGUN[:20]], breaks=True), "It is ", FAILED),
        (STREAMED, Response([BEGUN, BEGUN[:20]], framed=False), "It is ", CLOSED),
        (STREAMED, Response([BEGUN]), "It is ", CLOSED),
        (STREAMED, Response([_calls(_call(MILES[:9], index=0, id="a"))]), "", CLOSED),
        (WHOLE, Response([b'{"choices": ['], breaks=True), "", FAILED),
        (STREAMED, Response([BEGUN, event({}, "length")]), "It is ", CUT_OFF),
        (WHOLE, whole({"content": "It is "}, "length"), "", CUT_OFF),
        (STREAMED, Response([BEGUN, b"data: 42\n\n"]), "It is ", NOTHING_KNOWN),
        (WHOLE, Response([b"<html>"]), "", NOTHING_KNOWN),
        (STREAMED, Response([BEGUN, b'data: {"error": "\xff"}\n\n']), "It is ", NOTHING_KNOWN),
        (STREAMED, Response([b'{"error": "\xff"}'], status=503), "", BYTES),
        (WHOLE, Response([b'{"choices": []}']), "", "The endpoint has sent an answer without a message."),
    ],
    ids=[
        "refused", "refused, whole", "a proxy's page", "an empty refusal", "an error in the stream",
        "broken in the middle of an event", "closed in the middle of an event", "ended without an end",
        "ended in a tool call", "broken, whole", "cut off", "cut off, whole", "an event of something else",
        "a page of something else", "bytes in the stream", "bytes in a refusal", "no choice",
    ],
)  # fmt: skip
def test_an_error_is_one_sentence(
    command: str, response: Response, printed: str, sentence: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Received text stays printed on its own line; no tool is called; the exit code is 1."""
    endpoint.responses = [response]

    ended = call(command, tmp_path, endpoint.env)

    assert (ended.code, ended.out) == (1, f"assistant: {printed}\n" if printed else "")
    _check_sentence(ended.err, sentence)
    assert len(endpoint.bodies) == 1


def _check_sentence(err: str, sentence: str) -> None:
    """The whole sentence is compared, or the part before a colon, after which a library's text follows."""
    assert err.startswith(sentence)
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    assert "secret" not in err
    assert sentence.endswith(": ") or err == sentence + "\n"


def test_a_missing_endpoint_is_one_sentence(tmp_path: Path) -> None:
    """A port that is bound and has no listener refuses every connection."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        ended = call(STREAMED, tmp_path, {"OPENAI_BASE_URL": url, "MODEL": "a-model"})

    assert ended == Ended(1, "", f"{FAILED}All connection attempts failed.\n")


NOT_CONFIGURED = "Set OPENAI_BASE_URL and MODEL, and OPENAI_API_KEY if the endpoint needs a key."
UNUSABLE = "OPENAI_BASE_URL or OPENAI_API_KEY cannot be used: "


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({}, NOT_CONFIGURED),
        ({"MODEL": "a-model"}, NOT_CONFIGURED),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, NOT_CONFIGURED),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:port", "MODEL": "a-model"}, UNUSABLE),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1", "MODEL": "a-model", "OPENAI_API_KEY": "secret é"}, UNUSABLE),
        ({"OPENAI_BASE_URL": "localhost", "MODEL": "a-model"}, FAILED),
    ],
    ids=["nothing", "no address", "no model", "no URL", "a key outside ASCII", "no protocol"],
)
def test_a_wrong_configuration_is_one_sentence(env: dict[str, str], sentence: str, tmp_path: Path) -> None:
    """No request is sent."""
    ended = call(STREAMED, tmp_path, env)

    assert (ended.code, ended.out) == (1, "")
    _check_sentence(ended.err, sentence)


def test_without_a_key_no_key_is_sent(endpoint: Endpoint, tmp_path: Path) -> None:
    """A local endpoint needs no key; a slash at the end of the address is ignored."""
    endpoint.responses = [Response([ANSWER])]
    env = {"OPENAI_BASE_URL": endpoint.url + "/", "MODEL": "a-model"}

    assert call(STREAMED, tmp_path, env) == Ended(0, "assistant: Done.\n", "")
    assert (endpoint.keys, endpoint.paths) == ([None], ["/v1/chat/completions"])


def test_a_stream_can_end_without_a_reason(endpoint: Endpoint, tmp_path: Path) -> None:
    """After the end marker, a stream needs no finish reason, and nothing more is read."""
    endpoint.responses = [Response([event({"content": "Done."}) + b"data: [DONE]\n\n"], breaks=True)]

    assert call(STREAMED, tmp_path, endpoint.env) == Ended(0, "assistant: Done.\n", "")


def test_arguments_that_are_not_json_reach_the_tool_unchanged(endpoint: Endpoint, tmp_path: Path) -> None:
    """A call without arguments has an empty object."""
    broken = _calls(_call('{"amount"', index=0, id="a"), _call("", index=1, id="b"))
    endpoint.responses = [Response([broken, event({}, "tool_calls")]), Response([ANSWER])]

    ended = call(STREAMED, tmp_path, endpoint.env)

    assert (ended.code, ended.err) == (0, "")
    sent = json.dumps([call["function"]["arguments"] for call in endpoint.bodies[1]["messages"][2]["tool_calls"]])
    assert sent == json.dumps(['{"amount"', "{}"])
