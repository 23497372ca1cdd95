import { choiceField, objectField, textField } from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import { CLEANUPS, type RecordManager } from '../../contract/record-manager.ts'

const NAMESPACE = /^[\w-]{1,128}$/

/**
 * The inputs of every record manager, with Flowise's names. The ledger of this server does the work of a record manager, in
 * one transaction with what becomes visible; the inputs for a connection and a table exist so that flow files load.
 */
export const recordManagerFields = {
  additionalConfig: objectField('Additional Connection Configuration', { additional: true, guard: 'url' }),
  tableName: textField('Table Name', 'upsertion_records', { additional: true, guard: 'table' }),
  namespace: textField('Namespace', undefined, { additional: true, guard: 'table' }),
  // A flow file without a value means `none`, as in Flowise, which leaves chunks of earlier versions in the store.
  cleanup: choiceField('Cleanup', CLEANUPS, 'none', { main: true, additional: true, initial: 'incremental' }),
  sourceIdKey: textField('SourceId Key', 'source', { main: true, additional: true }),
}

/** What a run does with documents that are missing. @throws Error for a namespace that is not valid */
export function recordManagerOf({
  namespace,
  cleanup,
  sourceIdKey,
}: Pick<ValuesOf<typeof recordManagerFields>, 'namespace' | 'cleanup' | 'sourceIdKey'>): RecordManager {
  if (namespace !== undefined && !NAMESPACE.test(namespace))
    throw new Error('a namespace has 1 to 128 letters, digits, underscores or hyphens')
  return { ...(namespace === undefined ? {} : { namespace }), cleanup, sourceIdKey }
}
