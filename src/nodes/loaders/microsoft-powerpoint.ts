import { uploadCard } from './loader-card.ts'

export const microsoftPowerpoint = uploadCard({
  name: 'microsoftPowerpoint',
  label: 'Microsoft PowerPoint',
  version: 1,
  description: 'One document for each slide with its notes, in the order of the presentation',
  file: { input: 'powerpointFile', label: 'PowerPoint File', endings: ['.pptx', '.pptm'] },
  types: ['pptx'],
  fields: {},
  parse: () => ({}),
})
