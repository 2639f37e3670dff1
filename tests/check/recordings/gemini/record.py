"""Records histories of chats with google-genai 3.6.1 against scripted answers on loopback."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from google import genai
from google.genai import types

SIGNED = {"thoughtSignature": "c2lnbmVk"}
SUNNY = [{"text": "Sunny."}]


def weather(city: str) -> str:
    if city == "Atlantis":
        raise ValueError("there is no such city")
    return f"sunny in {city}"


def call(city, *, signature=SIGNED, **more):
    return {"functionCall": {"name": "weather", "args": {"city": city}, **more}, **signature}


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        parts = self.server.script.pop(0)
        is_stream = "stream" in self.path
        self.send_response(200)
        self.end_headers()
        for each in [[part] for part in parts] if is_stream else [parts]:
            candidate = {"content": {"role": "model", "parts": each}, "finishReason": "STOP"}
            self.wfile.write(b"data: " * is_stream + json.dumps({"candidates": [candidate]}).encode() + b"\n\n")


def chat(*script, history=(), **config):
    server.script = list(script)
    return client.chats.create(model="gemini-3-flash", history=[*history], config={"tools": [weather], **config})


def save(name, value):
    (Path(__file__).parent / name).write_text(json.dumps(value, indent=1) + "\n")


Endpoint.log_message = lambda *_: None
server = HTTPServer(("127.0.0.1", 0), Endpoint)
Thread(target=server.serve_forever, daemon=True).start()
address = types.HttpOptions(base_url=f"http://127.0.0.1:{server.server_port}")
client = genai.Client(api_key="none", http_options=address)

talk = chat([{"text": "I look it up."}, call("Rome"), call("Atlantis", signature={})], SUNNY, [{"text": "Bye."}])
[talk.send_message(said) for said in ("How is the weather in Rome and in Atlantis?", "Thanks")]
save("parallel_calls.json", [one.model_dump(mode="json", exclude_none=True) for one in talk.get_history()])
thoughts = [{"text": "I need the weather.", "thought": True}, call("Rome"), call("Oslo", signature={})]
talk = chat(thoughts, [{"text": "Sunny"}, {"text": " in both."}, {"text": "", **SIGNED}])
list(talk.send_message_stream("Rome and Oslo?"))
save("streamed.json", [one.model_dump(mode="json", exclude_none=True) for one in talk.get_history()])
by_hand = {"automatic_function_calling": {"disable": True}, "history": talk.get_history()}
talk = chat([call("Rome", id="call_1")], SUNNY, **by_hand)
talk.send_message("And Rome again?")
result = types.FunctionResponse(id="call_1", name="weather", response={"output": "sunny in Rome"})
talk.send_message(types.Part(function_response=result))
save("request.json", server.request)
talk = chat([call("Rome", id="call_1")], SUNNY)
talk.send_message("Rome?")
save("ids_and_nulls.json", [one.model_dump(mode="json") for one in talk.get_history()])
