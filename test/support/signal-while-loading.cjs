// Sends SIGNAL to the gateway's process while it loads its packages: loaded into the process before anything else.
const Module = require('node:module');

const { _load: load } = Module;
Module._load = function (name, ...rest) {
  if (name === 'fastify') process.kill(process.pid, process.env.SIGNAL);
  return load.call(this, name, ...rest);
};
