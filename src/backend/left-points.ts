import type { ChunkStores } from '../contract/chunk-store.ts'
import type { CredentialStore } from '../contract/credential-store.ts'
import type { LeftPoints } from '../contract/engine-comparison.ts'
import type { EnginePlace, EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { Ledger } from '../contract/ledger.ts'
import type { PlanContext } from '../flow/apply-request.ts'
import { credentialKindsOf } from '../flow/credentials.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { BUILT_IN } from '../stores/built-in/engine.ts'
import { engineReach } from './engine-reach.ts'

type LeftOptions = {
  ledger: Pick<Ledger, 'removedEngines'>
  stores: Pick<ChunkStores, 'sweepRemoved'>
  /** Absent where they cannot be opened. */
  places: Pick<EnginePlaceStore, 'find'> | undefined
  credential: CredentialStore['open']
  context: PlanContext
  /** Deletes them now. Then no server may run. */
  repair: boolean
}

/** The separate engines that still have points of removed indexes. */
export async function findLeftPoints(options: LeftOptions): Promise<LeftPoints[]> {
  const { ledger, stores, places, credential, context, repair } = options
  const failures = new Map<string, string>()
  const failed = (engine: string, error: unknown) => void failures.set(engine, reasonOf(error))
  if (repair)
    await stores.sweepRemoved(engineReach({ places: places ?? { find: async () => [] }, failed, ...context }))
  const left = [...(await ledger.removedEngines())].filter(([engine]) => engine !== BUILT_IN)
  return Promise.all(
    left.map(async ([engine, indexes]) => {
      const lost =
        failures.get(engine) ??
        (places && (await whyLost(await places.find(engine), { credential, context })))
      return { engine, indexes, ...(lost === undefined ? {} : { lost }) }
    }),
  )
}

/** Why none of some places can be reached; undefined where one may be. Nothing is asked of them. */
async function whyLost(
  places: readonly EnginePlace[],
  { credential, context }: Pick<LeftOptions, 'credential' | 'context'>,
): Promise<string | undefined> {
  let reason = 'nothing says how it is reached: a flow that names it, in any node, lets a server delete them'
  for (const { recipe } of places) {
    const card = context.catalog.get(recipe.card)
    const id = recipe.inputs.credential
    if (!card || typeof id !== 'string' || id === '') return undefined
    try {
      await credential(id, credentialKindsOf(card))
      return undefined
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      reason = `${error.message}: a flow that names this engine with another credential lets a server delete them`
    }
  }
  return reason
}
