import { textField } from '../../cards/field.ts'
import { fingerprint } from '../../kit/hash.ts'
import { loaderCard } from './loader-card.ts'

export const plainTextLoader = loaderCard({
  name: 'plainText',
  label: 'Plain Text',
  version: 2,
  description: 'A text that is part of the flow',
  fields: { text: textField('Text', '', { main: true, multiline: true }) },
  sources: ({ text }, { nodeId }) => ({
    async *items() {
      yield {
        name: nodeId,
        // The source is the node, so that a changed text replaces the old one.
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
