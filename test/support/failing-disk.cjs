// Simulates a disk that a test fills or breaks. It is loaded into the process of a gateway first, under its file layer.
// FAILING_DISK names a file that says how the disk behaves:
// `full`: no file grows; `stuffed`: nothing is written at all (copy-on-write file systems such as
// Btrfs and ZFS behave like that when they are full); `broken`: nothing is synced.
const fs = require('node:fs');

const control = process.env.FAILING_DISK;
const real = { ...fs, promises: { ...fs.promises } };

function state() {
  try {
    return real.readFileSync(control, 'utf8').trim();
  } catch {
    return 'well';
  }
}

function failure(code, errno, syscall) {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, errno: -errno, syscall });
}

function refuseGrowth(descriptor, end, syscall) {
  const now = state();
  const refused = now === 'stuffed' || (now === 'full' && end > real.fstatSync(descriptor).size);
  if (refused) throw failure('ENOSPC', 28, syscall);
}

fs.writeSync = (descriptor, buffer, offset = 0, length = buffer.length - offset, position = null) => {
  // A write without a position goes to standard output or a pipe.
  if (typeof position === 'number') refuseGrowth(descriptor, position + length, 'write');
  return real.writeSync(descriptor, buffer, offset, length, position);
};
fs.ftruncateSync = (descriptor, length) => {
  refuseGrowth(descriptor, length, 'ftruncate');
  return real.ftruncateSync(descriptor, length);
};
fs.fsyncSync = (descriptor) => {
  if (state() === 'broken') throw failure('EIO', 5, 'fsync');
  return real.fsyncSync(descriptor);
};
fs.promises.writeFile = async (...given) => {
  const now = state();
  if (now === 'broken') throw failure('EIO', 5, 'fsync');
  if (now !== 'well') throw failure('ENOSPC', 28, 'write');
  return real.promises.writeFile(...given);
};
