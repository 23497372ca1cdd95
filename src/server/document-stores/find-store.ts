import type { FlowRow, FlowStore } from '../../contract/flow-store.ts'
import { documentStoreMark } from '../../flow/document-stores/mark.ts'
import { SluiceError } from '../../kit/errors.ts'

/** A document store by the id or slug of its flow, for managers. @throws SluiceError `document_store_not_found` */
export async function findDocumentStore(flows: FlowStore, id: string): Promise<FlowRow> {
  const flow = await flows.find(id)
  if (!flow || !documentStoreMark(flow.config.apiConfig))
    throw new SluiceError('document_store_not_found', { store: id })
  return flow
}
