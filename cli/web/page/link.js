// The way to whoever keeps the table: a server by WebSocket. It is taken up again when it breaks.

export class ServerLink {
  constructor(table, secret, language) {
    this.hello = { table, secret, language };
    this.onmessage = () => {};
    this.onstate = () => {};
    this.wait = 500;
    this.waiting = [];
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/sit`);
    this.socket.onopen = () => {
      this.socket.send(JSON.stringify(this.hello));
      this.wait = 500;
      this.onstate("open");
    };
    this.socket.onmessage = (event) => this.onmessage(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      if (event.code === 4404 || event.code === 4403) { this.onstate("gone"); return; }
      this.onstate("lost");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(8000, this.wait * 1.7);
    };
  }

  send(message) {
    if (message.do === "language") this.hello.language = message.language;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
