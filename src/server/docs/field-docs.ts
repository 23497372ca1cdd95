import { chatWindowFields } from './fields/chat-window.ts'
import { commonFields } from './fields/common.ts'
import { documentFields } from './fields/documents.ts'
import type { FieldDoc, FieldDocs } from './fields/field-doc.ts'
import { flowFields } from './fields/flows.ts'
import { flowRequestFields } from './fields/flow-requests.ts'
import { importFields } from './fields/imports.ts'
import { jobFields } from './fields/jobs.ts'
import { keyFields } from './fields/keys.ts'
import { messageFields } from './fields/messages.ts'
import { nodeFields } from './fields/nodes.ts'
import { predictionFields } from './fields/predictions.ts'
import { protocolFields } from './fields/protocols.ts'
import { queryFields } from './fields/queries.ts'

/** Joins the docs of all resources. @throws Error for a name with two docs */
export function joinFieldDocs(tables: readonly FieldDocs[]): FieldDocs {
  const joined: Record<string, FieldDoc> = {}
  for (const table of tables)
    for (const [name, doc] of Object.entries(table)) {
      if (Object.hasOwn(joined, name)) throw new Error(`the field ${name} has two descriptions`)
      joined[name] = doc
    }
  return joined
}

/** The docs of all parameters and fields of the HTTP interface. */
export const FIELD_DOCS = joinFieldDocs([
  commonFields,
  flowFields,
  flowRequestFields,
  importFields,
  documentFields,
  queryFields,
  jobFields,
  keyFields,
  nodeFields,
  predictionFields,
  messageFields,
  chatWindowFields,
  protocolFields,
])

/** The doc of a field inside the field `parent`, or inside a part of the request or answer. */
export const fieldDoc = (parent: string, name: string): FieldDoc | undefined =>
  FIELD_DOCS[`${parent}.${name}`] ?? (Object.hasOwn(FIELD_DOCS, name) ? FIELD_DOCS[name] : undefined)
