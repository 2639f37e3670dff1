"""Prints the events of a run. A run that does not stream emits whole messages."""

from loopspec_reference import AnyMessage, CustomEvent, ErrorEvent, Event, InterruptEvent, MessageEvent


def print_event(event: Event) -> None:
    """Print one event."""
    match event:
        case MessageEvent(message=message):
            print_message(message)
        case CustomEvent(payload=payload):
            print(f"custom event: {payload}")
        case InterruptEvent(interrupts=interrupts):
            for interrupt in interrupts:
                print(f"interrupted: {interrupt.info}")
        case ErrorEvent(error=error):
            print(f"error: {error}")


def print_message(message: AnyMessage) -> None:
    """Print the text of a message, then its tool calls."""
    if message.text:
        print(f"{message.role}: {message.text}")
    for call in message.tool_calls:
        print(f"{message.role} calls {call.name} with {call.arguments}")
