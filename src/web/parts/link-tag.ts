// Links a tag to a spool. If another spool has the tag, the user decides whether the tag moves.
import { useApolloClient } from '@apollo/client/react';
import { LinkTagDocument, TagSpoolDocument } from '../../generated/web-operations';
import { normalizeTagUid } from '../../values/tag-uid';
import { announce } from './announcer';
import { useConfirm } from './confirm';
import { useSaving } from './saving';

interface Link {
  spoolId: string;
  uid: string;
  format: string | null;
}

export function useLinkTag() {
  const apollo = useApolloClient();
  const confirm = useConfirm();
  const { save, isBusy, faults } = useSaving();
  /** @returns false if the gateway refused the tag, which fills `faults`, or if the user does not move it */
  const link = async (wanted: Link): Promise<boolean> => {
    const { spoolId, uid } = wanted;
    const owner = normalizeTagUid(uid) === null ? null : await findOwner(uid);
    const isMove = owner !== null && owner.id !== spoolId;
    if (isMove) {
      const question = {
        title: `Move the tag from ${owner.spoolSerial}?`,
        text: `The tag ${normalizeTagUid(uid)} is linked to ${owner.spoolSerial} (#${owner.number}). A tag belongs to one spool.`,
        action: 'Move tag',
      };
      if (!(await confirm(question))) return false;
    }
    // Without `move` the gateway refuses a tag that another spool got in the meantime.
    if ((await save(LinkTagDocument, { ...wanted, move: isMove })) === undefined) return false;
    announce(isMove ? 'Tag moved.' : 'Tag linked.');
    return true;
  };
  /** A failure is not shown here: linking fails in the same way, and its form shows why. */
  const findOwner = async (uid: string) => {
    const answer = await apollo
      .query({ query: TagSpoolDocument, variables: { uid }, fetchPolicy: 'network-only' })
      .catch(() => undefined);
    return answer?.data?.spoolByTag ?? null;
  };
  return { link, isBusy, faults };
}
