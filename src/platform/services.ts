import type { Backend } from '../backend/backend.ts'
import { withNotedSecrets } from '../agent/noted-secrets.ts'
import type { Catalog } from '../flow/catalog.ts'
import { storesOfFlows } from '../flow/document-stores/flow-stores.ts'
import { flowSource } from '../flow/find-flow.ts'
import { type Config, flowEnvironment } from '../kit/config.ts'
import type { Egress } from '../kit/egress/client.ts'
import type { Log } from '../kit/log.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import { observedRetriever } from '../observe/observed-retriever.ts'
import type { Telemetry } from '../observe/telemetry.ts'
import { createRetriever } from '../retrieve/run.ts'
import type { Platform } from '../server/platform.ts'
import { keptPlaces } from '../stores/kept-places.ts'
import { notedEngines } from '../stores/noted-engines.ts'
import type { openReaders } from './readers.ts'

type ServicesOptions = {
  config: Config
  catalog: Catalog
  backend: Backend
  egress: Egress
  readers: ReturnType<typeof openReaders>
  telemetry: Telemetry
  mask: SecretMask
  log: Log
}

/** What nodes use: files, network, credentials, stores. @throws SluiceError as `openSecret` of a backend */
export async function openServices(options: ServicesOptions) {
  const { config, catalog, backend, egress, readers, telemetry, mask, log } = options
  const { stores, flows, variables, customTools } = backend
  const secret = await backend.openSecret()
  mask.add(secret)
  const box = createSecretBox(secret)
  const credentials = backend.credentials(box)
  const places = backend.enginePlaces(box)
  const retriever = observedRetriever(createRetriever(), telemetry)
  const nodeServices: Platform['nodeServices'] = withNotedSecrets<Platform['nodeServices']>(
    {
      ...readers,
      egress,
      async credential(id, kinds) {
        const values = await credentials.open(id, kinds)
        credentials.noteUse(id, Date.now())
        return values
      },
      settings: config,
      customTools,
      openStore: stores.open,
      openSeparateStore: keptPlaces(notedEngines(stores.openSeparate, log), { places, log }),
      flowStores: storesOfFlows({
        ...{ catalog, flows, variables, environment: flowEnvironment },
        nodeServices: () => nodeServices,
      }),
      async retrieve(part, query, narrowing, signal, noteScores) {
        const opened = part.open ? await part.open() : part
        const hits = (await retriever.retrieve(opened, [query], narrowing, signal))[0]!
        noteScores?.(
          hits.map(({ score }) => score),
          hits.map(({ scores: { vector, keyword } }) => ({ vector, keyword })),
        )
        return hits.map(({ pageContent, metadata }) => ({ pageContent, metadata }))
      },
    },
    mask,
  )
  const findFlow = async (id: string) => {
    const flow = await flows.find(id)
    return flow && flowSource(flow)
  }
  return { secret, box, credentials, places, retriever, nodeServices, findFlow }
}

export type OpenServices = Awaited<ReturnType<typeof openServices>>
