import { defineNode } from '../../cards/define-node.ts'
import { recordManagerFields, recordManagerOf } from './record-manager-fields.ts'

export const sqliteRecordManager = defineNode({
  kind: 'recordManager',
  name: 'SQLiteRecordManager',
  label: 'SQLite Record Manager',
  version: 1.1,
  category: 'Record Manager',
  type: 'SQLite RecordManager',
  baseClasses: ['SQLite RecordManager', 'RecordManager'],
  description: 'Records what is in the store: unchanged documents are skipped, missing ones are removed',
  fields: recordManagerFields,
  anchors: {},
  build: ({ values }) => recordManagerOf(values),
})
