// The memory that clients may fill: these bounds are 96 MB, and 128 MB with that of machines (`MAX_WAITING_BYTES` of src/wire/waiting-bytes.ts, 32 MB);
// beside the 115 MB of an idle process with a PostgreSQL server, they fit a process of 256 MB.

const MB = 1 << 20;

/** Bytes of all clients together: of bodies until their answer is read, of messages until they are whole, and of answers that are not read. */
export const HELD_BYTES = 64 * MB;
/** Bytes of large bodies, from their first byte to the answer. */
export const ARRIVING_BYTES = 8 * MB;
/** The memory that large bodies take together when they are read, until they are answered. One with the most values takes 13 MB. */
export const READ_BYTES = 24 * MB;
