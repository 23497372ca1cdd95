import assert from 'node:assert/strict'
import type { TestPlatform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import type { Screen } from './screen.ts'

/** A question of the quickstart, and a comparison of variants that has ended. */
export async function seedComparison(platform: TestPlatform): Promise<void> {
  const asked = await platform.manage('POST', '/api/v1/questions/quickstart', {
    questions: [{ text: 'Where does the ferry go?', judgements: [{ source: 'ferry.txt', grade: 1 }] }],
  })
  assert.equal(asked.status, 200, asked.text)
  const { status, text, body } = await platform.manage<{ jobId: string }>(
    'POST',
    '/api/v1/compare/quickstart',
    {
      variants: [
        { name: 'live' },
        { name: 'none', inputs: { minScore: 0.99 } },
        { name: 'keywords', inputs: { weight: 0 } },
      ],
    },
  )
  assert.equal(status, 202, text)
  await until(async () => {
    const place = `/api/v1/compare/quickstart/${body.jobId}`
    return (await platform.manage<{ state: string }>('GET', place)).body.state === 'done'
  })
}

export const compareScreens: Screen[] = [
  {
    name: 'compare',
    state: 'empty',
    path: '/flows/blank/compare',
    shown: (tab) => tab.getByText('Nothing was compared yet').waitFor(),
  },
  {
    name: 'compare',
    state: 'full',
    path: '/flows/quickstart/compare',
    async shown(tab) {
      await tab.getByRole('button', { name: 'Where does the ferry go?' }).click()
      await tab.getByText('No hit', { exact: true }).waitFor()
      // The row that was opened is the last stop of the page.
      await tab.getByRole('heading', { name: 'Compare variants' }).click()
    },
  },
  {
    name: 'compare',
    state: 'error',
    path: '/flows/quickstart/compare',
    failing: /\/api\/v1\/compare\//,
    shown: (tab) => tab.getByRole('alert').first().waitFor(),
  },
]
