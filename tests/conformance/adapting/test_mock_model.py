"""The model endpoint for adapters of command-line tools."""

from __future__ import annotations

import json
import socket
import time
import urllib.request
from collections.abc import Mapping

import pytest

from loopspec_instructions.command_line.mock_model import MockModel, mock_model, system_message

REQUEST = {"messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "x"}]}


def post(model: MockModel, body: Mapping[str, object]) -> tuple[str, bytes]:
    """Send a request as a tool does: the type of the response, and the response."""
    request = urllib.request.Request(f"{model.base_url}/chat/completions", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.headers["Content-Type"], response.read()


def test_a_request_is_answered_with_one_message() -> None:
    with mock_model() as model:
        kind, answer = post(model, REQUEST)
    choice = json.loads(answer)["choices"][0]
    assert kind == "application/json"
    assert choice["message"] == {"role": "assistant", "content": "ok"}
    assert choice["finish_reason"] == "stop"


def test_a_streamed_answer_has_the_same_text_and_an_end() -> None:
    with mock_model() as model:
        kind, answer = post(model, {**REQUEST, "stream": True})
    *chunks, end = [line.removeprefix("data: ") for line in answer.decode().strip().split("\n\n")]
    deltas = [json.loads(chunk)["choices"][0] for chunk in chunks]
    assert kind == "text/event-stream"
    assert end == "[DONE]"
    assert "".join(each["delta"].get("content", "") for each in deltas) == "ok"
    assert [each["finish_reason"] for each in deltas] == [None, "stop"]


def test_the_first_request_with_a_system_message_is_returned() -> None:
    with mock_model() as model:
        post(model, {"messages": [{"role": "user", "content": "title"}]})
        post(model, REQUEST)
        post(model, {"messages": [{"role": "system", "content": "later"}]})
        found = model.first(10, lambda: True, system_message)
    assert found == REQUEST


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([{"role": "system", "content": "a"}, {"role": "user", "content": "b"}], "a"),
        ([{"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "a\nb"),
        ([{"role": "system", "content": "a"}, {"role": "system", "content": "b"}], "a\nb"),
        ([{"role": "user", "content": "b"}], ""),
        (None, ""),
    ],
)
def test_the_system_message_is_text(messages: object, text: str) -> None:
    assert system_message({"messages": messages}) == text


def test_requests_that_are_forgotten_are_not_returned() -> None:
    with mock_model() as model:
        post(model, REQUEST)
        model.forget()
        assert model.first(0, lambda: True, system_message) is None


def test_a_tool_that_has_ended_is_not_waited_for() -> None:
    start = time.monotonic()
    with mock_model() as model:
        assert model.first(60, lambda: False, system_message) is None
    assert time.monotonic() - start < 30


def test_a_request_that_precedes_the_end_of_the_tool_counts() -> None:
    with mock_model() as model:
        post(model, REQUEST)
        assert model.first(60, lambda: False, system_message) == REQUEST


def test_the_server_listens_on_loopback_until_the_block_ends() -> None:
    with mock_model() as model:
        host, _, port = model.base_url.removeprefix("http://").removesuffix("/v1").partition(":")
        assert host == "127.0.0.1"
        socket.create_connection((host, int(port)), 10).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), 10)


def test_two_models_keep_their_requests_apart() -> None:
    with mock_model() as one, mock_model() as other:
        post(one, REQUEST)
        assert one.first(0, lambda: True, system_message) == REQUEST
        assert other.first(0, lambda: True, system_message) is None


def test_a_tool_that_is_killed_in_a_request_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with mock_model() as model:
        host, _, port = model.base_url.removeprefix("http://").removesuffix("/v1").partition(":")
        with socket.create_connection((host, int(port)), 10) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset, as a kill does
            connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\n")
        post(model, REQUEST)
        time.sleep(0.2)
    assert capfd.readouterr() == ("", "")
