// Adds notification targets through GraphQL, and writes notifications as the outbox does.
import { randomUUID } from 'node:crypto';
import { expectData, type Gateway, type Parsed } from './gateway';

export const TARGET = `{ id nodeId name kind url hasSecret certificateFingerprint events minimumSeverity enabled state stateSince message waiting
  createdAt updatedAt printers { id } deliveries { nodes { id event state attempts httpStatus message } } }`;
export const ADD_TARGET = `mutation ($input: AddNotificationTargetInput!) { addNotificationTarget(input: $input) { target ${TARGET} secret } }`;
export const UPDATE_TARGET = `mutation ($id: ID!, $input: UpdateNotificationTargetInput!) {
  updateNotificationTarget(id: $id, input: $input) { target ${TARGET} secret } }`;
export const TEST_TARGET =
  'mutation ($id: ID!) { testNotificationTarget(id: $id) { delivered message httpStatus certificateFingerprint } }';

/** Answers the target and the generated secret. */
export async function addTarget(gateway: Pick<Gateway, 'graphql'>, members: object): Promise<Parsed> {
  const input = { name: 'Home', kind: 'WEBHOOK', ...members };
  return expectData(await gateway.graphql(ADD_TARGET, { input })).addNotificationTarget;
}

export async function updateTarget(gateway: Pick<Gateway, 'graphql'>, id: string, input: object): Promise<Parsed> {
  return expectData(await gateway.graphql(UPDATE_TARGET, { id, input })).updateNotificationTarget;
}

export async function readTarget(gateway: Pick<Gateway, 'graphql'>, id: string): Promise<Parsed> {
  const found = await gateway.graphql(`query ($id: ID!) { notificationTarget(id: $id) ${TARGET} }`, { id });
  return expectData(found).notificationTarget;
}

/** Writes a notification with its delivery to a target, and answers the id of the delivery. */
export async function storeDelivery(
  gateway: Pick<Gateway, 'sql'>,
  targetId: string,
  text = 'It is done',
): Promise<string> {
  const id = randomUUID();
  await gateway.sql(`with n as (
      insert into notifications (event, title, text, data) values ('PRINT_ENDED', 'Print ended', '${text}', '{"print": {"name": "cube"}}')
      returning id
    ) insert into notification_deliveries (id, target_id, notification_id, next_attempt_at)
    select '${id}', '${targetId}', n.id, now() from n`);
  return id;
}
