// Checks that docs/reference/messages.md lists the messages of the current source.
import { readFileSync } from 'node:fs';
import { MESSAGES_FILE, messagesText } from '../../src/commands/emit-messages';

test('the page of messages lists what the source contains (else: npm run codegen)', () => {
  expect(readFileSync(MESSAGES_FILE, 'utf8')).toBe(messagesText());
});
