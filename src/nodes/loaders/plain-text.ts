import { anchor, defineNode } from '../../contract/card.ts'
import { text } from '../../contract/field.ts'
import { fingerprint } from '../../kit/hash.ts'
import { canonicalJson } from '../../kit/json.ts'
import { dresser, METADATA_FIELDS } from './dress.ts'

export const plainText = defineNode({
  kind: 'loader',
  name: 'plainText',
  label: 'Plain Text',
  version: 2,
  category: 'Document Loaders',
  type: 'Document',
  baseClasses: ['Document'],
  description: 'A text typed into the flow',
  fields: { text: text('Text', ''), ...METADATA_FIELDS },
  anchors: { textSplitter: anchor('splitter', 'Text Splitter', 'TextSplitter', { optional: true }) },
  build({ values, parts }, { nodeId }) {
    return {
      id: canonicalJson(['plainText', values.metadata, values.omitMetadataKeys]),
      ...(parts.textSplitter ? { splitter: parts.textSplitter } : {}),
      dress: dresser(values),
      async *items() {
        yield {
          name: nodeId,
          // The node, not its text, is the source: changed text replaces the old.
          source: nodeId,
          fingerprint: fingerprint(values.text),
          async *read() {
            const parts = [{ pageContent: values.text, metadata: { source: nodeId }, last: true }]
            yield { parts: values.text.trim() === '' ? [] : parts, notes: [] }
          },
        }
      },
    }
  },
})
