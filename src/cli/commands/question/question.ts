import type { Group } from '../../command.ts'

export const question: Group = {
  summary: 'Lists, imports, exports and proposes the questions of a flow, which sluice eval FLOW asks',
  commands: {
    list: async () => (await import('./list.ts')).listQuestionsCommand,
    import: async () => (await import('./import.ts')).importQuestionsCommand,
    export: async () => (await import('./export.ts')).exportQuestionsCommand,
    propose: async () => (await import('./propose.ts')).proposeQuestionsCommand,
  },
}
