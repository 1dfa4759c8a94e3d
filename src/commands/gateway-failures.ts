// Writes the sentence for a command that could not get an answer from a running gateway.
import { GatewayRequestError } from '../client/client';

/** @param rights the rights that the command needs, such as `the scope read`, for the message of a forbidden request */
export function gatewayFailure(error: unknown, url: string, key: string | null, rights: string): unknown {
  if (!(error instanceof GatewayRequestError)) return error;
  return new Error(makeSentence(error, url, key, rights), { cause: error });
}

function makeSentence(error: GatewayRequestError, url: string, key: string | null, rights: string): string {
  const message = error.message.replace(/\.$/, '');
  if (error.status === 0) {
    return (
      `No gateway answers at ${url}. Start it in another terminal with "npm start" or "print-farm-gateway start", and try again.\n` +
      'If the gateway runs at another address, set GATEWAY_URL=http://HOST:PORT.'
    );
  }
  if (error.codes.includes('UNAUTHENTICATED')) {
    return key === null
      ? `The gateway at ${url} requires credentials. Set GATEWAY_KEY to an API key or a token. The command "print-farm-gateway key" makes a key.`
      : `The gateway at ${url} rejects the key or token in GATEWAY_KEY. Check that its entry is in the gateway's API_KEYS, or that the token has not expired.`;
  }
  if (error.codes.includes('FORBIDDEN')) {
    return `The key or token in GATEWAY_KEY has too few rights: ${message}. This command needs ${rights}.`;
  }
  return `The gateway at ${url} refused the request: ${message}.`;
}
