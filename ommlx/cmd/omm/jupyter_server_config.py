from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

SAID, HINT = b'expected declaration, ', b'expected declaration (put a line %% above the statements of a cell), '

class Hints(ZMQChannelsWebsocketConnection):
    def handle_outgoing_message(self, stream, outgoing_msg):
        super().handle_outgoing_message(stream, [part.replace(SAID, HINT) for part in outgoing_msg])

c.ServerApp.kernel_websocket_connection_class = Hints
