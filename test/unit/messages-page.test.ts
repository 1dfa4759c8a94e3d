// The page docs/reference/messages.md lists the messages of the source as it is now.
import { readFileSync } from 'node:fs';
import { MESSAGES_FILE, messagesText } from '../../src/commands/emit-messages';

test('the page of messages lists what the source says: npm run codegen writes it', () => {
  expect(readFileSync(MESSAGES_FILE, 'utf8')).toBe(messagesText());
});
