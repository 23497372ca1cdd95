import { textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext, ListOption } from '../../contract/card.ts'

/** The input that names a document store, as `"ID"`, `"SLUG"` or `"ID:NAME"`. */
export const selectedStoreField = textField('Select Store', '', {
  main: true,
  required: true,
  guard: 'table',
  loadMethod: 'listStores',
  refersTo: { kind: 'flow', store: true },
  description: 'A document store of this server, or another flow that holds documents, by its id or slug',
})

/** The choices of the input. */
export const listStores = async (_: unknown, { flowStores }: BuildContext): Promise<ListOption[]> =>
  (await flowStores.list()).map(({ id, name, description }) => ({ name: id, label: name, description }))

/** The id or slug in the input. @throws InputError where it is empty, or the flow itself */
export function selectedStoreOf(value: string, { flowId }: Pick<BuildContext, 'flowId'>): string {
  const id = value.split(':', 1)[0]!.trim()
  if (id === '') throw new InputError('selectedStore', 'no document store is selected')
  if (id === flowId) throw new InputError('selectedStore', 'it is the flow itself')
  return id
}
