import type { TemplateAnswer } from '../api/flow-settings.ts'
import type { Client } from './http.ts'
import { readAnswer } from './read-answer.ts'

export const fetchTemplates = (client: Client): Promise<TemplateAnswer[]> =>
  readAnswer(
    client.send('GET', 'flow-templates'),
    async () => (await import('../api/flow-settings.ts')).templateList,
    'a list of templates',
  )
