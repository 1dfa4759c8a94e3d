// Sends SIGNAL to the gateway's own process, loaded into it before anything else: while it loads its packages, or
// (SIGNAL_AT=locked) as soon as it has locked its data directory, which is the first address that it listens on.
const Module = require('node:module');
const { Server } = require('node:net');

const signal = () => process.kill(process.pid, process.env.SIGNAL);

if (process.env.SIGNAL_AT === 'locked') {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...given) {
    Server.prototype.listen = listen;
    this.once('listening', signal);
    return listen.apply(this, given);
  };
} else {
  const { _load: load } = Module;
  Module._load = function (name, ...rest) {
    if (name === 'fastify') signal();
    return load.call(this, name, ...rest);
  };
}
