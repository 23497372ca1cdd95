import type { FlowStore } from '../contract/flow-store.ts'
import type { SettingStore } from '../contract/setting-store.ts'
import type { Catalog } from '../flow/catalog.ts'
import { quickstartFlow } from '../flow/quickstart.ts'
import { randomId } from '../kit/hash.ts'

/** Creates the flow `quickstart` at the first start only: a deleted one is not created again. */
export async function makeQuickstart(
  flows: FlowStore,
  settings: SettingStore,
  catalog: Catalog,
): Promise<void> {
  const id = randomId()
  if ((await settings.keep('quickstart', id)) !== id) return
  const { name, slug, flowData, apiConfig } = quickstartFlow(catalog)
  const now = Date.now()
  await flows.insert({
    id,
    slug,
    name,
    type: 'CHATFLOW',
    flowData,
    config: { apiConfig },
    apiKeyId: null,
    createdAt: now,
    updatedAt: now,
  })
}
