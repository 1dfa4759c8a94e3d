// Sentences for the usual failures of a command that asks a running gateway.
import { GatewayRequestError } from '../client/client';

/** @param rights the rights that the command needs, such as `the scope read` */
export function gatewayFailure(error: unknown, url: string, key: string | null, rights: string): unknown {
  if (!(error instanceof GatewayRequestError)) return error;
  return new Error(sentenceFor(error, url, key, rights), { cause: error });
}

function sentenceFor(error: GatewayRequestError, url: string, key: string | null, rights: string): string {
  if (error.status === 0) {
    return (
      `No gateway answers at ${url}. Start it with "npm start" or "print-farm-gateway start" in another terminal, then try again.\n` +
      'A gateway elsewhere: set HOST and PORT as for its start, or GATEWAY_URL=http://HOST:PORT.'
    );
  }
  if (error.codes.includes('UNAUTHENTICATED')) {
    return key === null
      ? `The gateway at ${url} asks for credentials: set GATEWAY_KEY to a key (the command key makes one) or a token.`
      : `The gateway at ${url} does not accept the key or token in GATEWAY_KEY.`;
  }
  if (error.codes.includes('FORBIDDEN')) return `The key or token in GATEWAY_KEY needs ${rights}: ${error.message}.`;
  return `The gateway at ${url} says: ${error.message}.`;
}
