import type { BuildContext } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'

export type KeySources = {
  /** The key typed into the node. */
  nodeKey: string | undefined
  /** The id of the node's credential. */
  credential: string | undefined
  /** The name of the key within the credential. */
  field: string
  /** The server's own key, from the environment; see `serverKeyFor`. */
  serverKey?: string | undefined
}

/**
 * The server's own key, if the node calls the address that the key is meant for. The author of a flow may enter any
 * address, and the key must not be sent there.
 */
export const serverKeyFor = (
  key: string | undefined,
  called: { baseURL: string; intendedBaseURL: string },
): string | undefined => (called.baseURL === called.intendedBaseURL ? key : undefined)

/**
 * The key for calls to a provider: from the node, else from its credential, else from the environment.
 *
 * @throws SluiceError `credential_missing` if the credential does not exist or has no such field
 */
export async function providerKey(
  { nodeKey, credential, field, serverKey }: KeySources,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<string | undefined> {
  if (nodeKey !== undefined) return nodeKey
  if (credential === undefined) return serverKey
  const values = await context.credential(credential).catch((error: unknown) => {
    if (error instanceof SluiceError && error.code === 'credential_not_found') return undefined
    throw error
  })
  if (values?.[field]) return values[field]
  const reason = values ? `its credential has no ${field}` : 'its credential does not exist'
  throw new SluiceError('credential_missing', { node: context.nodeId, reason })
}

/**
 * The key for a provider that requires one.
 *
 * @param setting the setting that has the key of the server; undefined for a provider without one
 * @throws SluiceError `credential_missing`, also without any key
 */
export async function requiredKey(
  sources: KeySources,
  setting: string | undefined,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<string> {
  const key = await providerKey(sources, context)
  if (key !== undefined) return key
  throw new SluiceError('credential_missing', {
    node: context.nodeId,
    reason: 'it has none',
    hint:
      setting === undefined
        ? 'Give the node a credential'
        : `Give the node a credential, or set ${setting}, which is sent to the provider's default address only`,
  })
}

type KeyContext = Pick<BuildContext, 'credential' | 'nodeId' | 'beforeUse'>

/** The same function, noted for checks of the flow. */
export function beforeUse<T>(
  look: () => Promise<T>,
  context: Pick<BuildContext, 'beforeUse'>,
): () => Promise<T> {
  context.beforeUse?.(look)
  return look
}

/** Reads `providerKey` when the part is used. */
export const keyReader = (sources: KeySources, context: KeyContext) =>
  beforeUse(() => providerKey(sources, context), context)

/** Reads `requiredKey` when the part is used. */
export const requiredKeyReader = (sources: KeySources, setting: string | undefined, context: KeyContext) =>
  beforeUse(() => requiredKey(sources, setting, context), context)
