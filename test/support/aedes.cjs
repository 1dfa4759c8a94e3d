// A broker of MQTT in a process of its own: aedes is a module that Jest cannot load.
const { createServer } = require('node:net');

const [, , port, password] = process.argv;

import('aedes').then(async ({ Aedes }) => {
  const authenticate = (_client, _username, given, done) => {
    const isRight = password === undefined || given?.toString() === password;
    done(isRight ? null : Object.assign(new Error('refused'), { returnCode: 5 }), isRight);
  };
  const broker = await Aedes.createBroker({ authenticate });
  createServer(broker.handle).listen(Number(port), '127.0.0.1', () => console.log('listening'));
});
