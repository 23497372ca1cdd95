import type { JsonObject } from '../kit/json.ts'
import type { Catalog } from './catalog.ts'
import { drawTemplate } from './templates/draw-template.ts'
import { quickstart } from './templates/templates.ts'

/** The flow that the first start creates. */
export function quickstartFlow(catalog: Catalog): {
  name: string
  slug: string
  flowData: string
  apiConfig: JsonObject
} {
  const { flowData, apiConfig } = drawTemplate(quickstart, catalog)
  return { name: 'Quickstart', slug: 'quickstart', flowData, apiConfig }
}
