import { textField } from '../../contract/field.ts'
import { fingerprint } from '../../kit/hash.ts'
import { loaderCard } from './loader-card.ts'

export const plainTextLoader = loaderCard({
  name: 'plainText',
  label: 'Plain Text',
  version: 2,
  description: 'A text typed into the flow',
  fields: { text: textField('Text', '') },
  sources: ({ text }, { nodeId }) => ({
    async *items() {
      yield {
        name: nodeId,
        // The node, not its text, is the source: changed text replaces the old.
        source: nodeId,
        fingerprint: fingerprint(text),
        async *read() {
          const parts = [{ pageContent: text, metadata: { source: nodeId }, last: true }]
          yield { parts: text.trim() === '' ? [] : parts, notes: [] }
        },
      }
    },
  }),
})
