"""Tools for assistants over the Model Context Protocol: what an assistant can call, and the server that answers."""
