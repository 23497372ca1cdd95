import { defineNode } from '../../contract/card.ts'
import { choiceField, objectField, textField } from '../../contract/field.ts'
import { CLEANUPS } from '../../contract/record-manager.ts'

const NAMESPACE = /^[\w-]{1,128}$/

export const sqliteRecordManager = defineNode({
  kind: 'recordManager',
  name: 'SQLiteRecordManager',
  label: 'SQLite Record Manager',
  version: 1.1,
  category: 'Record Manager',
  type: 'SQLite RecordManager',
  baseClasses: ['SQLite RecordManager', 'RecordManager'],
  description: 'Records what is in the store: unchanged documents are skipped, missing ones are removed',
  fields: {
    // Not used: records are stored with the chunks. Both inputs exist so that flow files of Flowise load.
    additionalConfig: objectField('Additional Connection Configuration', { additional: true, guard: 'url' }),
    tableName: textField('Table Name', 'upsertion_records', { additional: true, guard: 'table' }),
    namespace: textField('Namespace', undefined, { additional: true, guard: 'table' }),
    cleanup: choiceField('Cleanup', CLEANUPS, 'none', { additional: true }),
    sourceIdKey: textField('SourceId Key', 'source', { additional: true }),
  },
  anchors: {},
  build({ values: { namespace, cleanup, sourceIdKey } }) {
    if (namespace !== undefined && !NAMESPACE.test(namespace)) {
      throw new Error('a namespace has 1 to 128 letters, digits, underscores or hyphens')
    }
    return { ...(namespace === undefined ? {} : { namespace }), cleanup, sourceIdKey }
  },
})
