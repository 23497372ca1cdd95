import { uploadCard } from './loader-card.ts'

export const microsoftPowerpoint = uploadCard({
  name: 'microsoftPowerpoint',
  label: 'Microsoft PowerPoint',
  version: 1,
  description: 'A document per slide, in the order of the presentation, with its notes',
  file: { input: 'powerpointFile', label: 'PowerPoint File', endings: ['.pptx', '.pptm'] },
  types: ['pptx'],
  fields: {},
  parse: () => ({}),
})
