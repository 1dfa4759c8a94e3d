// Sends SIGNAL to the process of the gateway; it is loaded into it first. It sends the signal while packages load, or
// (SIGNAL_AT=locked) as soon as the data directory is locked, which is the first address that the gateway listens on.
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
