"""A chat application in Python: lists the tools of a server, calls what it is told to, and prints what it got.

Standard input is one JSON object: `server` (a URL, or `command`, `args` and `env`), `mode` (as the SDK names it) and
`calls` (pairs of a name and arguments). Standard output is one JSON object: `version`, `tools` and `answers`.
"""

import asyncio
import json
import sys

from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters


def as_json(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def answer(client, name, arguments):
    """The result, or the error of the protocol. The SDK checks results against the output schema by itself."""
    try:
        return as_json(await client.call_tool(name, arguments))
    except MCPError as error:
        return {"code": error.error.code, "message": error.error.message}


async def main(server, mode, calls):
    if not isinstance(server, str):
        server = StdioServerParameters(**server)
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        for tool in tools:
            Draft202012Validator.check_schema(tool.input_schema)
            if tool.output_schema is not None:
                Draft202012Validator.check_schema(tool.output_schema)
        return {
            "version": client.protocol_version,
            "tools": [as_json(tool) for tool in tools],
            "answers": [await answer(client, name, arguments) for name, arguments in calls],
        }


print(json.dumps(asyncio.run(main(**json.load(sys.stdin)))))
