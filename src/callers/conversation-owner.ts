/**
 * Whether a conversation belongs to another caller, by its first message.
 *
 * @param first undefined where the conversation is new
 * @param ownedOnly whether one without an owner counts as another's
 */
export const isOfAnother = (
  first: { owner: string | null } | undefined,
  owner: string | null,
  ownedOnly: boolean,
): boolean => first !== undefined && first.owner !== owner && (first.owner !== null || ownedOnly)
