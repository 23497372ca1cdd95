import type { BuildContext } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'

export type KeySources = {
  /** What the node itself says. */
  given: string | undefined
  /** The id of the node's credential. */
  credential: string | undefined
  /** The name of the key within the credential. */
  field: string
  /** The environment's key, where it is meant for the address that the node calls. */
  fallback?: string | undefined
}

/**
 * The server's own key, at the address that it is meant for alone: a flow that somebody else drew may name any address,
 * and the key does not go there.
 */
export const serverKeyFor = (
  key: string | undefined,
  called: { baseURL: string; meant: string },
): string | undefined => (called.baseURL === called.meant ? key : undefined)

/**
 * The key that a node calls its provider with: its own input first, then its credential, then the environment.
 *
 * @throws SluiceError `credential_missing` for a credential that is not there, or is of another kind
 */
export async function providerKey(
  { given, credential, field, fallback }: KeySources,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<string | undefined> {
  if (given !== undefined) return given
  if (credential === undefined) return fallback
  const held = await context.credential(credential).catch((error: unknown) => {
    if (error instanceof SluiceError && error.code === 'credential_not_found') return undefined
    throw error
  })
  if (held?.[field]) return held[field]
  const reason = held ? `the one it names holds no ${field}` : 'the one it names is not there'
  throw new SluiceError('credential_missing', { node: context.nodeId, reason })
}

/** The same for a provider that takes no call without a key. @throws SluiceError `credential_missing` */
export async function requiredKey(
  sources: KeySources,
  setting: string,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<string> {
  const key = await providerKey(sources, context)
  if (key !== undefined) return key
  throw new SluiceError('credential_missing', {
    node: context.nodeId,
    reason: 'it names none',
    hint: `Give the node a credential, or set ${setting}, which goes to the provider's usual address only`,
  })
}
